// The same trees as trees.c, with Go's collector.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"time"
)

const (
	tickLength = 1000
	arrayCount = 500000
)

type node struct {
	left, right *node
	i, j        int32
}

var (
	ticks     []int64
	made      int
	tickBegin time.Time
	array     []float64
)

func newNode() *node {
	made++
	if made%tickLength == 0 {
		end := time.Now()
		ticks = append(ticks, end.Sub(tickBegin).Nanoseconds())
		tickBegin = end
	}
	return new(node)
}

func bottomUp(depth int) *node {
	if depth == 0 {
		return newNode()
	}
	left, right := bottomUp(depth-1), bottomUp(depth-1)
	n := newNode()
	n.left, n.right = left, right
	return n
}

func populate(depth int, tree *node) {
	if depth == 0 {
		return
	}
	tree.left = newNode()
	tree.right = newNode()
	populate(depth-1, tree.left)
	populate(depth-1, tree.right)
}

func countNodes(tree *node) int64 {
	if tree == nil {
		return 0
	}
	return 1 + countNodes(tree.left) + countNodes(tree.right)
}

func gcbench(most int) (sum int64) {
	lasting := newNode()
	populate(most, lasting)
	array = make([]float64, arrayCount)
	for depth := 4; depth <= most; depth += 2 {
		for i := 0; i < 2<<(most-depth); i++ {
			tree := newNode()
			populate(depth, tree)
			tree = bottomUp(depth)
			if tree.left != nil {
				sum++
			}
		}
	}
	return sum + countNodes(lasting) + int64(array[arrayCount/2])
}

func binary(most int) (sum int64) {
	lasting := bottomUp(most)
	for depth := 4; depth <= most; depth += 4 {
		for i := 0; i < 16<<(most-depth); i++ {
			sum += countNodes(bottomUp(depth))
		}
	}
	return sum + countNodes(lasting)
}

func main() {
	depth, _ := strconv.Atoi(os.Args[2])
	run := binary
	if os.Args[1] == "gcbench" {
		run = gcbench
	}
	begin := time.Now()
	tickBegin = begin
	sum := run(depth)
	elapsed := time.Since(begin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	fmt.Fprintf(out, `{"sum":%d,"ns":%d,"ticks":[`, sum, elapsed.Nanoseconds())
	for i, tick := range ticks {
		if i > 0 {
			fmt.Fprint(out, ",")
		}
		fmt.Fprint(out, tick)
	}
	fmt.Fprintln(out, "]}")
}
