/** expressions.c in Java. */
final class Expressions {
    static final int TEXTS = 16, DEPTH = 13;

    static final class Node {
        final Node left, right;
        final int value;
        final byte kind;

        Node(int kind, int value, Node left, Node right) {
            this.kind = (byte) kind;
            this.value = value;
            this.left = left;
            this.right = right;
        }

        int evaluate() {
            switch (kind) {
                case '+': return left.evaluate() + right.evaluate();
                case '-': return left.evaluate() - right.evaluate();
                case '*': return left.evaluate() * right.evaluate();
                case '_': return -left.evaluate();
                default: return value;
            }
        }
    }

    static final class Writer {
        int state = 1;
        java.io.ByteArrayOutputStream text;

        int below(int bound) {
            state = state * 1664525 + 1013904223;
            return (state >>> 16) % bound;
        }

        void write(int depth) {
            if (depth == 0 || below(8) == 0) {
                if (below(4) == 0) {
                    text.write('a' + below(26));
                } else {
                    text.write('1' + below(9));
                    text.write('0' + below(10));
                }
                return;
            }
            if (below(10) == 0) {
                text.write('-');
            }
            text.write('(');
            write(depth - 1);
            text.write("+-*".charAt(below(3)));
            write(depth - 1);
            text.write(')');
        }
    }

    static final class Parser {
        final byte[] text;
        int at;

        Parser(byte[] text) {
            this.text = text;
        }

        Node parse() {
            byte c = text[at++];
            if (c == '(') {
                Node left = parse();
                byte operator = text[at++];
                Node right = parse();
                at++;
                return new Node(operator, 0, left, right);
            }
            if (c == '-') {
                return new Node('_', 0, parse(), null);
            }
            if (c >= 'a') {
                return new Node('a', c - 'a' + 1, null, null);
            }
            int value = c - '0';
            while (text[at] >= '0' && text[at] <= '9') {
                value = value * 10 + text[at++] - '0';
            }
            return new Node('0', value, null, null);
        }
    }

    public static void main(String[] arguments) {
        int rounds = Integer.parseInt(arguments[0]);
        Writer writer = new Writer();
        byte[][] texts = new byte[TEXTS][];
        for (int i = 0; i < TEXTS; i++) {
            writer.text = new java.io.ByteArrayOutputStream();
            writer.write(DEPTH);
            writer.text.write(0); // so that looking at the next character is always possible
            texts[i] = writer.text.toByteArray();
        }
        int sum = 0;
        for (int round = 0; round < rounds; round++) {
            for (byte[] text : texts) {
                sum = sum * 31 + new Parser(text).parse().evaluate();
            }
        }
        System.out.println(Integer.toUnsignedString(sum));
    }
}
