//! trees.c in Rust: features bump (bumpalo), typed (typed-arena), counted (Rc).
const LEAST_DEPTH: u32 = 4;

#[cfg(not(feature = "counted"))]
mod tree {
    pub struct Tree<'a> {
        children: Option<(&'a Tree<'a>, &'a Tree<'a>)>,
    }

    #[cfg(feature = "bump")]
    macro_rules! pool {
        ($a:lifetime) => { bumpalo::Bump };
    }
    #[cfg(feature = "typed")]
    macro_rules! pool {
        ($a:lifetime) => { typed_arena::Arena<Tree<$a>> };
    }

    fn make<'a>(pool: &'a pool!('a), depth: u32) -> &'a Tree<'a> {
        let children = if depth > 0 { Some((make(pool, depth - 1), make(pool, depth - 1))) } else { None };
        pool.alloc(Tree { children })
    }

    fn count(tree: &Tree) -> u32 {
        tree.children.map_or(1, |(left, right)| 1 + count(left) + count(right))
    }

    /// Calls then while a tree exists, with a function that counts its nodes.
    pub fn with_tree(depth: u32, then: impl FnOnce(&dyn Fn() -> u32)) {
        let pool = <pool!('_)>::new();
        let tree = make(&pool, depth);
        then(&|| count(tree));
    }
}

#[cfg(feature = "counted")]
mod tree {
    use std::rc::Rc;

    pub struct Tree {
        children: Option<(Rc<Tree>, Rc<Tree>)>,
    }

    fn make(depth: u32) -> Rc<Tree> {
        let children = if depth > 0 { Some((make(depth - 1), make(depth - 1))) } else { None };
        Rc::new(Tree { children })
    }

    fn count(tree: &Tree) -> u32 {
        tree.children.as_ref().map_or(1, |(left, right)| 1 + count(left) + count(right))
    }

    pub fn with_tree(depth: u32, then: impl FnOnce(&dyn Fn() -> u32)) {
        let tree = make(depth);
        then(&|| count(&tree));
    }
}

fn try_tree(depth: u32) -> u32 {
    let mut nodes = 0;
    tree::with_tree(depth, |count| nodes = count());
    nodes
}

fn main() {
    let most: u32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).expect("usage: trees DEPTH");
    println!("{}", try_tree(most + 1));
    tree::with_tree(most, |count_staying| {
        for depth in (LEAST_DEPTH..=most).step_by(2) {
            let rounds = 1u32 << (most - depth + LEAST_DEPTH);
            let count = (0..rounds).fold(0u32, |sum, _| sum.wrapping_add(try_tree(depth)));
            println!("{depth} {rounds} {count}");
        }
        println!("{}", count_staying());
    });
}
