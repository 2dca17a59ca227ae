// SPDX-License-Identifier: MIT
//===- Top.cpp - acre top: the regions of a running process ---------------===//
#include "Commands.h"
#include "SnapshotProcess.h"
#include "TopScreen.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace acre::cli {
namespace {

constexpr char HelpText[] =
    "usage: acre top [options] PID\n"
    "\n"
    "Shows the regions of a running process: what they hold, how they grow, what points into them "
    "and where their\n"
    "objects were allocated. It asks the process for a snapshot again and again, so it must have "
    "been started with\n"
    "ACRE_SNAPSHOT=FILE,signal=USR2 in its environment; a process that neither makes regions nor "
    "allocates in them\n"
    "answers late.\n"
    "\n"
    "  --delay=SECONDS  between two snapshots (2)\n"
    "  --once           print one and end, for scripts\n"
    "  --details        with --once: what points into each region, and what is in it\n"
    "  --wait=SECONDS   with --once: how long an answer is waited for (5)\n"
    "\n"
    "keys: q ends; arrows, j, k, page up and down choose a region; t shows a tree or a list; M, G, "
    "O, C, N sort by\n"
    "bytes, growth, objects, count, name; p pauses\n"
    "\n"
    "exit status: 0 done, 1 the process does not answer, or is gone; 2 wrong usage, or a process "
    "that cannot be asked.\n";

struct Request {
  pid_t Process = 0;
  double Delay = 2, Wait = 5;
  bool IsOnce = false, HasDetails = false;
};

int fail(const std::string &Message, int Status) {
  fprintf(stderr, "acre: error: top: %s\n", Message.c_str());
  return Status;
}

bool parseSeconds(const std::string &Text, double &To) {
  char *End;
  To = strtod(Text.c_str(), &End);
  return !Text.empty() && !*End && To > 0 && To < 1e6;
}

/// Fills To; a message if the arguments make no sense.
std::string parseArguments(const Arguments &Given, Request &To) {
  for (const std::string &Each : Given) {
    const bool IsDelay = Each.starts_with("--delay="), IsWait = Each.starts_with("--wait=");
    if (IsDelay || IsWait) {
      if (!parseSeconds(Each.substr(Each.find('=') + 1), IsDelay ? To.Delay : To.Wait))
        return "'" + Each + "': it may be a number of seconds";
    } else if (Each == "--once")
      To.IsOnce = true;
    else if (Each == "--details")
      To.HasDetails = true;
    else if (Each.starts_with("-"))
      return "no option '" + Each + "'; 'acre top --help' lists them";
    else if (To.Process)
      return "more than one process";
    else if (Each.empty() || Each.size() > 9 ||
             Each.find_first_not_of("0123456789") != std::string::npos || !std::stoi(Each))
      return "'" + Each + "' is no number of a process";
    else
      To.Process = std::stoi(Each);
  }
  return To.Process ? "" : "which process? 'acre top --help' explains";
}

int printOnce(SnapshotProcess &Process, const Request &R) {
  Snapshot Now;
  if (std::string Problem = Process.ask(); !Problem.empty())
    return fail(Problem, ExitFound);
  if (!Process.waitFor(R.Wait))
    return fail("no answer: the process neither makes a region nor allocates in one, has ended, or "
                "could not write the file (then its standard error says so)",
                ExitFound);
  if (std::string Problem = Process.read(Now); !Problem.empty())
    return fail(Problem, ExitFound);
  printf("%s\n%s\n", topHead(Now, nullptr).c_str(), topTitles().c_str());
  for (const TopRow &Each : topRows(Now, nullptr, TopOrder::Bytes, true)) {
    puts(topLine(Each).c_str());
    if (R.HasDetails)
      for (const std::string &Line : topDetails(Now, *Each.Region))
        printf("%51s%s\n", "", Line.c_str());
  }
  return 0;
}

// -- The screen -----------------------------------------------------------------------------------

volatile sig_atomic_t IsEnded;

/// The terminal in a state in which keys come at once, until this goes.
class Terminal {
public:
  Terminal() {
    tcgetattr(STDIN_FILENO, &Before);
    termios Raw = Before;
    Raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    tcsetattr(STDIN_FILENO, TCSANOW, &Raw);
    write("\x1b[?1049h\x1b[?25l");
  }
  Terminal(const Terminal &) = delete;
  Terminal &operator=(const Terminal &) = delete;
  ~Terminal() {
    write("\x1b[?25h\x1b[?1049l");
    tcsetattr(STDIN_FILENO, TCSANOW, &Before);
  }
  static void write(const std::string &Text) {
    fwrite(Text.data(), 1, Text.size(), stdout);
    fflush(stdout);
  }

private:
  termios Before;
};

struct Size {
  size_t Lines = 24, Columns = 80;
};

Size sizeOfTerminal() {
  winsize Given;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &Given) != 0 || !Given.ws_row || !Given.ws_col)
    return {};
  return {Given.ws_row, Given.ws_col};
}

class Screen {
public:
  Screen(SnapshotProcess &Process, const Request &R) : Process(Process), R(R) {}
  int run();

private:
  using Clock = std::chrono::steady_clock;

  /// Takes an answer if there is one, and asks again when it is time.
  void update();
  void draw();
  void drawRows(std::string &To, const Size &Of, size_t Lines);
  void drawDetails(std::string &To, const Size &Of, size_t Lines);
  /// False if the key ends all.
  bool press(const std::string &Key);
  bool pressAll(std::string Keys);
  void choose(long Step);

  SnapshotProcess &Process;
  const Request &R;
  std::unique_ptr<Snapshot> Now, Before;
  std::vector<TopRow> Rows;
  size_t Chosen = 0, First = 0;
  TopOrder Order = TopOrder::Bytes;
  bool IsTree = true, IsPaused = false, IsWaiting = false;
  std::string Problem;
  Clock::time_point Next = Clock::now();
};

void Screen::update() {
  if (IsWaiting && Process.waitFor(0)) {
    auto Fresh = std::make_unique<Snapshot>();
    Problem = Process.read(*Fresh);
    IsWaiting = false;
    if (Problem.empty())
      Before = std::move(Now), Now = std::move(Fresh);
  }
  if (!IsPaused && !IsWaiting && Problem.empty() && Clock::now() >= Next) {
    Problem = Process.ask();
    IsWaiting = Problem.empty();
    Next = Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(R.Delay));
  }
}

void Screen::choose(long Step) {
  const long Last = static_cast<long>(Rows.size()) - 1;
  Chosen =
      static_cast<size_t>(std::clamp(static_cast<long>(Chosen) + Step, 0L, std::max(0L, Last)));
}

bool Screen::press(const std::string &Key) {
  static constexpr std::pair<char, TopOrder> Orders[] = {{'M', TopOrder::Bytes},
                                                         {'G', TopOrder::Growth},
                                                         {'O', TopOrder::Objects},
                                                         {'C', TopOrder::Count},
                                                         {'N', TopOrder::Name}};
  if (Key == "q" || Key == "\x03")
    return false;
  if (Key == "t")
    IsTree = !IsTree;
  else if (Key == "p")
    IsPaused = !IsPaused;
  else if (Key == "j" || Key == "\x1b[B" || Key == "\x1bOB")
    choose(1);
  else if (Key == "k" || Key == "\x1b[A" || Key == "\x1bOA")
    choose(-1);
  else if (Key == "\x1b[6~" || Key == "\x1b[5~")
    choose(Key == "\x1b[6~" ? 15 : -15);
  for (const auto &[Letter, Chosen] : Orders)
    if (Key == std::string(1, Letter))
      Order = Chosen;
  return true;
}

/// Several keys may come at once. One that is no letter begins with an escape, and ends with a
/// letter or '~'.
bool Screen::pressAll(std::string Keys) {
  while (!Keys.empty()) {
    size_t Length = 1;
    if (Keys[0] == '\x1b' && Keys.size() > 2)
      for (Length = 3;
           Length < Keys.size() && isdigit(static_cast<unsigned char>(Keys[Length - 1])); ++Length)
        ;
    if (!press(Keys.substr(0, Length)))
      return false;
    Keys.erase(0, Length);
  }
  return true;
}

void Screen::drawRows(std::string &To, const Size &Of, size_t Lines) {
  Rows = topRows(*Now, Before.get(), Order, IsTree);
  choose(0);
  First = std::min(First, Chosen);
  if (Chosen >= First + Lines)
    First = Chosen - Lines + 1;
  for (size_t I = First; I < First + Lines; ++I) {
    const std::string Text = I < Rows.size() ? topLine(Rows[I]) : "";
    To += (I == Chosen ? "\x1b[7m" : "") + fitted(Text, Of.Columns) + "\x1b[0m\r\n";
  }
}

void Screen::drawDetails(std::string &To, const Size &Of, size_t Lines) {
  const std::vector<std::string> Details =
      Rows.empty() ? std::vector<std::string>() : topDetails(*Now, *Rows[Chosen].Region);
  for (size_t I = 0; I < Lines; ++I)
    To += fitted(I < Details.size() ? Details[I] : "", Of.Columns) + (I + 1 < Lines ? "\r\n" : "");
}

void Screen::draw() {
  const Size Of = sizeOfTerminal();
  const std::string State = !Problem.empty() ? Problem
                            : IsPaused       ? "paused"
                            : IsWaiting      ? "waiting for the process to allocate"
                                             : "";
  std::string Text = "\x1b[H";
  Text += fitted(Now ? topHead(*Now, Before.get()) : "", Of.Columns) + "\r\n";
  Text += fitted(printable(State), Of.Columns) + "\r\n";
  Text += "\x1b[1m" + fitted(topTitles(), Of.Columns) + "\x1b[0m\r\n";
  const size_t Left = Of.Lines > 6 ? Of.Lines - 4 : 2, Details = std::max<size_t>(1, Left / 3);
  if (Now) {
    drawRows(Text, Of, Left - Details);
    Text +=
        "\x1b[1m" + fitted("What points into it, and what is in it", Of.Columns) + "\x1b[0m\r\n";
    drawDetails(Text, Of, Details);
  }
  Terminal::write(Text + "\x1b[J");
}

int Screen::run() {
  Terminal Here;
  for (;;) {
    update();
    draw();
    pollfd Keys = {STDIN_FILENO, POLLIN, 0};
    if (poll(&Keys, 1, 100) > 0) {
      char Bytes[16];
      const ssize_t Count = ::read(STDIN_FILENO, Bytes, sizeof Bytes);
      if (Count <= 0 || !pressAll(std::string(Bytes, static_cast<size_t>(Count))))
        return 0;
    }
    if (IsEnded)
      return 0;
  }
}

void end(int) { IsEnded = 1; }

} // namespace

int top(const Arguments &Given) {
  if (isHelpPrinted(Given, HelpText))
    return 0;
  Request R;
  if (std::string Problem = parseArguments(Given, R); !Problem.empty())
    return fail(Problem, ExitUsage);
  SnapshotProcess Process(R.Process);
  if (std::string Problem = Process.find(); !Problem.empty())
    return fail(Problem, ExitUsage);
  if (R.IsOnce)
    return printOnce(Process, R);
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
    return fail("it needs a terminal; --once does not", ExitUsage);
  struct sigaction Action = {};
  Action.sa_handler = end;
  for (int Each : {SIGINT, SIGTERM, SIGHUP})
    sigaction(Each, &Action, nullptr);
  return Screen(Process, R).run();
}

} // namespace acre::cli
