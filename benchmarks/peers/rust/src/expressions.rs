//! expressions.c in Rust: features bump (bumpalo), typed (typed-arena), counted (Rc).
const TEXTS: usize = 16;
const DEPTH: u32 = 13;

struct Random(u32);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1664525).wrapping_add(1013904223);
        (self.0 >> 16) % bound
    }

    fn write(&mut self, text: &mut Vec<u8>, depth: u32) {
        if depth == 0 || self.below(8) == 0 {
            if self.below(4) == 0 {
                text.push(b'a' + self.below(26) as u8);
            } else {
                text.push(b'1' + self.below(9) as u8);
                text.push(b'0' + self.below(10) as u8);
            }
            return;
        }
        if self.below(10) == 0 {
            text.push(b'-');
        }
        text.push(b'(');
        self.write(text, depth - 1);
        text.push(b"+-*"[self.below(3) as usize]);
        self.write(text, depth - 1);
        text.push(b')');
    }
}

/// What the texts end with, so that looking at the next character is always possible.
const END: u8 = 0;

macro_rules! parse_methods {
    ($link:ty) => {
        fn next(&mut self) -> u8 {
            self.at += 1;
            self.text[self.at - 1]
        }

        fn parse(&mut self) -> $link {
            let c = self.next();
            if c == b'(' {
                let left = self.parse();
                let operator = self.next();
                let right = self.parse();
                self.at += 1;
                return self.make(Node::Binary(operator, left, right));
            }
            if c == b'-' {
                let operand = self.parse();
                return self.make(Node::Negation(operand));
            }
            if c >= b'a' {
                return self.make(Node::Variable(u32::from(c - b'a') + 1));
            }
            let mut value = u32::from(c - b'0');
            while self.text[self.at].is_ascii_digit() {
                value = value * 10 + u32::from(self.next() - b'0');
            }
            self.make(Node::Number(value))
        }
    };
}

macro_rules! evaluate_function {
    () => {
        fn evaluate(node: &Node) -> u32 {
            match node {
                Node::Number(value) | Node::Variable(value) => *value,
                Node::Negation(operand) => evaluate(operand).wrapping_neg(),
                Node::Binary(b'+', left, right) => evaluate(left).wrapping_add(evaluate(right)),
                Node::Binary(b'-', left, right) => evaluate(left).wrapping_sub(evaluate(right)),
                Node::Binary(_, left, right) => evaluate(left).wrapping_mul(evaluate(right)),
            }
        }
    };
}

#[cfg(not(feature = "counted"))]
mod tree {
    pub type Link<'a> = &'a Node<'a>;
    pub enum Node<'a> {
        Number(u32),
        Variable(u32),
        Negation(Link<'a>),
        Binary(u8, Link<'a>, Link<'a>),
    }

    #[cfg(feature = "bump")]
    macro_rules! pool {
        ($a:lifetime) => { bumpalo::Bump };
    }
    #[cfg(feature = "typed")]
    macro_rules! pool {
        ($a:lifetime) => { typed_arena::Arena<Node<$a>> };
    }

    struct Parser<'a, 't> {
        pool: &'a pool!('a),
        text: &'t [u8],
        at: usize,
    }

    impl<'a> Parser<'a, '_> {
        fn make(&self, node: Node<'a>) -> Link<'a> {
            self.pool.alloc(node)
        }
        parse_methods!(Link<'a>);
    }

    pub fn value_of(text: &[u8]) -> u32 {
        let pool = <pool!('_)>::new();
        let root = Parser { pool: &pool, text, at: 0 }.parse();
        evaluate(root)
    }
    evaluate_function!();
}

#[cfg(feature = "counted")]
mod tree {
    use std::rc::Rc;

    pub type Link = Rc<Node>;
    pub enum Node {
        Number(u32),
        Variable(u32),
        Negation(Link),
        Binary(u8, Link, Link),
    }

    struct Parser<'t> {
        text: &'t [u8],
        at: usize,
    }

    impl Parser<'_> {
        fn make(&self, node: Node) -> Link {
            Rc::new(node)
        }
        parse_methods!(Link);
    }

    pub fn value_of(text: &[u8]) -> u32 {
        let root = Parser { text, at: 0 }.parse();
        evaluate(&root)
    }
    evaluate_function!();
}

fn main() {
    let rounds: u32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).expect("usage: expressions ROUNDS");
    let mut random = Random(1);
    let mut texts = vec![Vec::new(); TEXTS];
    for text in &mut texts {
        random.write(text, DEPTH);
        text.push(END);
    }
    let mut sum = 0u32;
    for _ in 0..rounds {
        for text in &texts {
            sum = sum.wrapping_mul(31).wrapping_add(tree::value_of(text));
        }
    }
    println!("{sum}");
}
