// trees.c in Go.
package main

import (
	"fmt"
	"os"
	"strconv"
)

const leastDepth = 4

type tree struct {
	left, right *tree
}

func newTree(depth int) *tree {
	t := &tree{}
	if depth > 0 {
		t.left = newTree(depth - 1)
		t.right = newTree(depth - 1)
	}
	return t
}

func (t *tree) count() uint32 {
	if t.left == nil {
		return 1
	}
	return 1 + t.left.count() + t.right.count()
}

func main() {
	most, err := 0, error(nil)
	if len(os.Args) == 2 {
		most, err = strconv.Atoi(os.Args[1])
	}
	if err != nil || most < leastDepth {
		fmt.Fprintln(os.Stderr, "usage: trees DEPTH")
		os.Exit(2)
	}
	fmt.Println(newTree(most + 1).count())
	staying := newTree(most)
	for depth := leastDepth; depth <= most; depth += 2 {
		rounds := 1 << (most - depth + leastDepth)
		count := uint32(0)
		for i := 0; i < rounds; i++ {
			count += newTree(depth).count()
		}
		fmt.Println(depth, rounds, count)
	}
	fmt.Println(staying.count())
}
