/** trees.c in Java. */
final class Trees {
    static final int LEAST_DEPTH = 4;

    static final class Tree {
        final Tree left, right;

        Tree(int depth) {
            left = depth > 0 ? new Tree(depth - 1) : null;
            right = depth > 0 ? new Tree(depth - 1) : null;
        }

        int count() {
            return left == null ? 1 : 1 + left.count() + right.count();
        }
    }

    public static void main(String[] arguments) {
        int most = Integer.parseInt(arguments[0]);
        System.out.println(new Tree(most + 1).count());
        Tree staying = new Tree(most);
        for (int depth = LEAST_DEPTH; depth <= most; depth += 2) {
            int rounds = 1 << (most - depth + LEAST_DEPTH);
            int count = 0;
            for (int i = 0; i < rounds; i++) {
                count += new Tree(depth).count();
            }
            System.out.println(depth + " " + rounds + " " + Integer.toUnsignedString(count));
        }
        System.out.println(staying.count());
    }
}
