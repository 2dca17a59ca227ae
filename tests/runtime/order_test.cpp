#include "region_support.h"

#include <deque>
#include <vector>

extern "C" {
#include "memory/order.h"
}

namespace {

/* Brackets in a list, with a vector as the model. */
class OrderModel {
public:
  OrderModel() {
    acre_order_start(&first, &last);
    model = {&first, &last};
  }
  void insertAfter(std::size_t place) {
    nodes.emplace_back();
    acre_order_insert_after(model[place], &nodes.back());
    model.insert(model.begin() + static_cast<std::ptrdiff_t>(place) + 1, &nodes.back());
  }
  void remove(std::size_t place) {
    acre_order_remove(model[place]);
    model.erase(model.begin() + static_cast<std::ptrdiff_t>(place));
  }
  bool agrees() const {
    for (std::size_t i = 0; i + 1 < model.size(); i++)
      if (model[i]->label >= model[i + 1]->label || model[i]->next != model[i + 1])
        return false;
    return acre_order_check(&first);
  }
  std::size_t size() const { return model.size(); }
  acre_order_node *at(std::size_t place) { return model[place]; }

private:
  acre_order_node first, last;
  std::deque<acre_order_node> nodes;
  std::vector<acre_order_node *> model;
};

TEST(OrderTest, RandomInsertionsAndRemovalsAgreeWithAVector) {
  Seed seed;
  SCOPED_TRACE(seed.text());
  auto random = seed.generator();
  OrderModel list;
  for (int i = 0; i < repetitions(4000); i++) {
    if (list.size() > 3 && random() % 4 == 0)
      list.remove(1 + random() % (list.size() - 2));
    else
      list.insertAfter(random() % (list.size() - 1));
    if (i % 64 == 0) {
      ASSERT_TRUE(list.agrees());
    }
  }
  EXPECT_TRUE(list.agrees());
  for (int i = 0; i < 1000; i++) {
    std::size_t a = random() % list.size(), b = random() % list.size(), c = random() % list.size();
    EXPECT_EQ(acre_order_encloses(list.at(a), list.at(b), list.at(c)), a <= c && c < b);
  }
}

TEST(OrderTest, InsertingAlwaysAtOnePlaceRelabels) {
  for (bool isAtFront : {true, false}) {
    OrderModel list;
    for (int i = 0; i < repetitions(20000); i++)
      list.insertAfter(isAtFront ? 0 : list.size() - 2);
    EXPECT_TRUE(list.agrees());
  }
}

TEST(OrderTest, InsertingAlwaysInTheMiddleRelabels) {
  OrderModel list;
  for (int i = 0; i < repetitions(20000); i++)
    list.insertAfter((list.size() - 1) / 2);
  EXPECT_TRUE(list.agrees());
}

TEST(OrderTest, CheckFindsAWrongLabel) {
  OrderModel list;
  list.insertAfter(0);
  list.insertAfter(1);
  std::swap(list.at(1)->label, list.at(2)->label);
  EXPECT_FALSE(acre_order_check(list.at(0)));
}

} // namespace
