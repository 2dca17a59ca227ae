declare ptr @__acre_type(ptr)
define ptr @site(ptr %text) {
  %site = call ptr @__acre_type(ptr %text)
  ret ptr %site
}
