# Procedures, lists, dictionaries and text.  The number of rounds is the argument.
proc fib {n} {
    if {$n < 2} {
        return $n
    }
    return [expr {[fib [expr {$n - 1}]] + [fib [expr {$n - 2}]]}]
}

proc words {seed count} {
    set list {}
    for {set i 0} {$i < $count} {incr i} {
        set seed [expr {($seed * 1103 + 12345) % 65536}]
        lappend list "word[expr {$seed % 97}]"
    }
    return $list
}

set total 0
for {set round 0} {$round < [lindex $argv 0]} {incr round} {
    set counts [dict create]
    foreach word [words $round 500] {
        dict incr counts $word
    }
    set sorted [lsort -unique [dict keys $counts]]
    set text [join [lmap word $sorted {string toupper $word}] ,]
    regsub -all {WORD} $text w text
    incr total [string length $text]
    incr total [llength [split $text ,]]
    incr total [fib 12]
    foreach word [lsort -command {apply {{a b} {string compare $b $a}}} [lrange $sorted 0 20]] {
        incr total [dict get $counts $word]
    }
}
puts $total
