/** The same trees as trees.c, with Java's collector. */
final class Trees {
    static final int TICK = 1000, ARRAY = 500000;
    static long[] ticks = new long[1 << 16];
    static int tickCount;
    static long made, tickBegin;
    static double[] array;

    static final class Node {
        Node left, right;
        int i, j;

        Node() {
            if (++made % TICK != 0)
                return;
            if (tickCount == ticks.length)
                ticks = java.util.Arrays.copyOf(ticks, 2 * tickCount);
            long end = System.nanoTime();
            ticks[tickCount++] = end - tickBegin;
            tickBegin = end;
        }
    }

    static Node bottomUp(int depth) {
        if (depth == 0)
            return new Node();
        Node left = bottomUp(depth - 1), right = bottomUp(depth - 1), n = new Node();
        n.left = left;
        n.right = right;
        return n;
    }

    static void populate(int depth, Node tree) {
        if (depth == 0)
            return;
        tree.left = new Node();
        tree.right = new Node();
        populate(depth - 1, tree.left);
        populate(depth - 1, tree.right);
    }

    static long countNodes(Node tree) {
        return tree == null ? 0 : 1 + countNodes(tree.left) + countNodes(tree.right);
    }

    static long gcbench(int most) {
        Node lasting = new Node();
        populate(most, lasting);
        array = new double[ARRAY];
        long sum = 0;
        for (int depth = 4; depth <= most; depth += 2)
            for (int i = 0; i < 2 << (most - depth); i++) {
                Node tree = new Node();
                populate(depth, tree);
                tree = bottomUp(depth);
                sum += tree.left != null ? 1 : 0;
            }
        return sum + countNodes(lasting) + (long) array[ARRAY / 2];
    }

    static long binary(int most) {
        Node lasting = bottomUp(most);
        long sum = 0;
        for (int depth = 4; depth <= most; depth += 4)
            for (int i = 0; i < 16 << (most - depth); i++)
                sum += countNodes(bottomUp(depth));
        return sum + countNodes(lasting);
    }

    public static void main(String[] values) {
        int depth = Integer.parseInt(values[1]);
        long begin = tickBegin = System.nanoTime();
        long sum = values[0].equals("gcbench") ? gcbench(depth) : binary(depth);
        long end = System.nanoTime();
        StringBuilder text = new StringBuilder("{\"sum\":" + sum + ",\"ns\":" + (end - begin) + ",\"ticks\":[");
        for (int i = 0; i < tickCount; i++)
            text.append(i > 0 ? "," : "").append(ticks[i]);
        System.out.println(text.append("]}"));
    }
}
