declare ptr @__acre_slot_words(ptr, ptr)
define ptr @slot(ptr %memory, ptr %text) {
  %slot = call ptr @__acre_slot_words(ptr %memory, ptr %text)
  ret ptr %slot
}
