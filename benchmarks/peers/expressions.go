// expressions.c in Go.
package main

import (
	"fmt"
	"os"
	"strconv"
)

const texts, depth = 16, 13

type node struct {
	left, right *node
	value       uint32
	kind        byte
}

type writer struct {
	state uint32
	text  []byte
}

func (w *writer) below(bound uint32) uint32 {
	w.state = w.state*1664525 + 1013904223
	return (w.state >> 16) % bound
}

func (w *writer) add(c byte) { w.text = append(w.text, c) }

func (w *writer) write(depth int) {
	if depth == 0 || w.below(8) == 0 {
		if w.below(4) == 0 {
			w.add('a' + byte(w.below(26)))
		} else {
			w.add('1' + byte(w.below(9)))
			w.add('0' + byte(w.below(10)))
		}
		return
	}
	if w.below(10) == 0 {
		w.add('-')
	}
	w.add('(')
	w.write(depth - 1)
	w.add("+-*"[w.below(3)])
	w.write(depth - 1)
	w.add(')')
}

type parser struct {
	text []byte
	at   int
}

func (p *parser) next() byte {
	p.at++
	return p.text[p.at-1]
}

func (p *parser) parse() *node {
	c := p.next()
	if c == '(' {
		left := p.parse()
		operator := p.next()
		right := p.parse()
		p.at++
		return &node{left, right, 0, operator}
	}
	if c == '-' {
		return &node{p.parse(), nil, 0, '_'}
	}
	if c >= 'a' {
		return &node{nil, nil, uint32(c-'a') + 1, 'a'}
	}
	value := uint32(c - '0')
	for p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		value = value*10 + uint32(p.next()-'0')
	}
	return &node{nil, nil, value, '0'}
}

func (n *node) evaluate() uint32 {
	switch n.kind {
	case '+':
		return n.left.evaluate() + n.right.evaluate()
	case '-':
		return n.left.evaluate() - n.right.evaluate()
	case '*':
		return n.left.evaluate() * n.right.evaluate()
	case '_':
		return -n.left.evaluate()
	}
	return n.value
}

func main() {
	rounds, err := 0, error(nil)
	if len(os.Args) == 2 {
		rounds, err = strconv.Atoi(os.Args[1])
	}
	if err != nil || rounds < 1 {
		fmt.Fprintln(os.Stderr, "usage: expressions ROUNDS")
		os.Exit(2)
	}
	w := writer{state: 1}
	var all [texts][]byte
	for i := range all {
		w.text = nil
		w.write(depth)
		w.add(0) // so that looking at the next character is always possible
		all[i] = w.text
	}
	sum := uint32(0)
	for round := 0; round < rounds; round++ {
		for _, text := range all {
			p := parser{text: text}
			sum = sum*31 + p.parse().evaluate()
		}
	}
	fmt.Println(sum)
}
