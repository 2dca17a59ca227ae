// SPDX-License-Identifier: MIT
#include "PlotDraw.h"

#include "Format.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace acre::cli {
namespace {

constexpr double PageWidth = 980, PageHeight = 1060;
/// More points than this cannot be told apart.
constexpr size_t ColumnsMax = 1200;

std::string escape(const std::string &Text) {
  std::string Result;
  for (char Each : Text)
    Result += Each == '&' ? "&amp;" : Each == '<' ? "&lt;" : std::string(1, Each);
  return Result;
}

/// A part of the page with two axes, either of which may be logarithmic.
class Panel {
public:
  struct Axis {
    double Least, Most;
    bool IsLogarithmic;
    double place(double Value) const {
      return IsLogarithmic ? std::log(Value / Least) / std::log(Most / Least)
                           : (Value - Least) / (Most - Least);
    }
  };

  Panel(double Left, double Top, double Width, double Height, Axis X, Axis Y)
      : Left(Left), Top(Top), Width(Width), Height(Height), XAxis(X), YAxis(Y) {}

  double x(double Value) const { return Left + Width * std::clamp(XAxis.place(Value), 0.0, 1.0); }
  double y(double Value) const {
    return Top + Height * (1 - std::clamp(YAxis.place(Value), 0.0, 1.0));
  }

  void title(const std::string &Text) {
    text(Left, Top - 8, "start", escape(Text), " font-weight=\"bold\"");
  }
  void labelX(const std::string &Text) {
    text(Left + Width / 2, Top + Height + 34, "middle", Text);
  }
  void tickX(double Value, const std::string &Text) {
    line(x(Value), Top + Height, x(Value), Top + Height + 4, "black");
    text(x(Value), Top + Height + 17, "middle", Text);
  }
  void tickY(double Value, const std::string &Text) {
    line(Left, y(Value), Left + Width, y(Value), "#dddddd");
    text(Left - 6, y(Value) + 4, "end", Text);
  }
  void frame() {
    line(Left, Top, Left, Top + Height, "black");
    line(Left, Top + Height, Left + Width, Top + Height, "black");
  }
  void bar(double FromX, double ToX, double Value, const char *Colour) {
    Page += format("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                   x(FromX), y(Value), x(ToX) - x(FromX), Top + Height - y(Value), Colour);
  }
  /// Points in this panel's units.
  void path(const std::vector<std::pair<double, double>> &Points, const std::string &Style) {
    Page += "<path d=\"";
    for (size_t I = 0; I < Points.size(); ++I)
      Page += format("%s%.1f %.1f", I ? "L" : "M", x(Points[I].first), y(Points[I].second));
    Page += "\" " + Style + "/>\n";
  }
  void legend(size_t Place, const char *Colour, const std::string &Text) {
    const double Middle = Top + 10 + static_cast<double>(Place) * 18;
    Page += format(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\" stroke=\"black\" "
        "stroke-width=\"0.4\"/>\n",
        Left + Width + 14, Middle - 6, Colour);
    text(Left + Width + 32, Middle + 4, "start", Text);
  }
  void dot(double X, double Y, const char *Colour) {
    Page += format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.6\" fill=\"%s\"/>\n", x(X), y(Y), Colour);
  }

  std::string Page;

private:
  void line(double X1, double Y1, double X2, double Y2, const char *Colour) {
    Page += format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", X1,
                   Y1, X2, Y2, Colour);
  }
  void text(double X, double Y, const char *Anchor, const std::string &Text,
            const char *Style = "") {
    Page += format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", X, Y, Anchor, Style) +
            Text + "</text>\n";
  }

  double Left, Top, Width, Height;
  Axis XAxis, YAxis;
};

/// The next of 1, 2, 5, 10, 20 ... such that about five fit.
double stepOf(double Most) {
  const double Power = std::pow(10, std::floor(std::log10(Most / 5)));
  for (double Factor : {1.0, 2.0, 5.0})
    if (Most / (Power * Factor) <= 6)
      return Power * Factor;
  return Power * 10;
}

std::string duration(double Microseconds) {
  return Microseconds < 1      ? format("%.0f ns", Microseconds * 1000)
         : Microseconds < 1000 ? format("%.0f µs", Microseconds)
         : Microseconds < 1e6  ? format("%.0f ms", Microseconds / 1000)
                               : format("%.0f s", Microseconds / 1e6);
}

/// Keeps the fullest and the emptiest moment of each column, in order.
std::vector<HeapSample> thinned(const std::vector<HeapSample> &All) {
  if (All.size() <= 2 * ColumnsMax)
    return All;
  std::vector<HeapSample> Result;
  for (size_t Column = 0; Column < ColumnsMax; ++Column) {
    auto From = All.begin() + static_cast<long>(All.size() * Column / ColumnsMax);
    auto To = All.begin() + static_cast<long>(All.size() * (Column + 1) / ColumnsMax);
    auto [Full, Empty] =
        std::minmax_element(From, To, [](auto &A, auto &B) { return A.External < B.External; });
    Result.push_back(*std::min(Full, Empty));
    if (Full != Empty)
      Result.push_back(*std::max(Full, Empty));
  }
  return Result;
}

struct Part {
  const char *Name, *Colour;
  std::uint64_t HeapSample::*Size;
};
/// From the bottom.  The last is what is left of the limit.
constexpr Part Parts[] = {{"objects, as asked for", "#4c78a8", &HeapSample::Useful},
                          {"headers of objects", "#f2b701", &HeapSample::Headers},
                          {"sizes rounded up", "#e45756", &HeapSample::Padding},
                          {"free, up to the limit", "#eeeeee", &HeapSample::External}};

/// How far up the picture of a heap goes, in bytes.  A limit far above what is used, as a process
/// has where nobody set one, would leave nothing to see.
struct Extent {
  double Most;
  size_t PartCount;
};

Extent extentOf(const std::vector<HeapSample> &Samples) {
  constexpr double FarAbove = 4, Room = 1.1;
  double Used = 1, Limit = 1;
  for (const HeapSample &Each : Samples) {
    Used = std::max(Used, static_cast<double>(Each.Useful + Each.Headers + Each.Padding));
    Limit = std::max(Limit, static_cast<double>(Each.Limit));
  }
  return Limit > Used * FarAbove ? Extent{Used * Room, std::size(Parts) - 1}
                                 : Extent{Limit, std::size(Parts)};
}

/// The paper's Figure 7.
std::string drawComposition(const HeapTrace &Heap) {
  const std::vector<HeapSample> Samples = thinned(Heap.Samples);
  const Extent Shown = extentOf(Samples);
  const double Clock = std::max(1.0, static_cast<double>(Heap.allocated()) / 1e6);
  const double Most = Shown.Most / 1e6;
  Panel P(60, 60, 720, 240, {0, Clock, false}, {0, Most, false});
  P.title(Shown.PartCount == std::size(Parts) ? "What the heap holds of its limit, MB"
                                              : "What the heap holds, MB (its limit is far above)");
  for (double Value = 0, Step = stepOf(Most); Value <= Most; Value += Step)
    P.tickY(Value, format("%g", Value));
  std::vector<double> Bottoms(Samples.size(), 0);
  for (size_t Place = 0; Place < Shown.PartCount; ++Place) {
    std::vector<std::pair<double, double>> Outline;
    for (size_t I = Samples.size(); I-- > 0;)
      Outline.emplace_back(static_cast<double>(Samples[I].Clock) / 1e6, Bottoms[I]);
    for (size_t I = 0; I < Samples.size(); ++I) {
      Bottoms[I] += static_cast<double>(Samples[I].*Parts[Place].Size) / 1e6;
      Outline.emplace_back(static_cast<double>(Samples[I].Clock) / 1e6, Bottoms[I]);
    }
    P.path(Outline, format("fill=\"%s\"", Parts[Place].Colour));
    P.legend(Shown.PartCount - 1 - Place, Parts[Place].Colour, Parts[Place].Name);
  }
  for (double Value = 0, Step = stepOf(Clock); Value <= Clock; Value += Step)
    P.tickX(Value, format("%g", Value));
  P.labelX("allocated so far, MB");
  P.frame();
  return P.Page;
}

std::string drawPauses(const HeapTrace &Heap) {
  constexpr double Least = 0.1, Most = 1e6, PerDecade = 8;
  const size_t Count = static_cast<size_t>(std::log10(Most / Least) * PerDecade);
  std::vector<size_t> Bars(Count, 0);
  for (const Pause &Each : Heap.Pauses) {
    const double Place = std::log10(std::max(Each.Length, Least) / Least) * PerDecade;
    ++Bars[std::min(Count - 1, static_cast<size_t>(Place))];
  }
  const double Top =
      std::max(10.0, static_cast<double>(*std::max_element(Bars.begin(), Bars.end())) * 1.5);
  Panel P(60, 400, 340, 240, {Least, Most, true}, {0.5, Top, true});
  P.title(format("Pauses by length (%zu)", Heap.Pauses.size()));
  for (double Value = 1; Value <= Top; Value *= 10)
    P.tickY(Value, format("%.0f", Value));
  for (double Value = Least; Value <= Most; Value *= 10)
    P.tickX(Value, duration(Value));
  for (size_t I = 0; I < Count; ++I)
    if (Bars[I])
      P.bar(Least * std::pow(10, static_cast<double>(I) / PerDecade),
            Least * std::pow(10, static_cast<double>(I + 1) / PerDecade),
            static_cast<double>(Bars[I]), "#4c78a8");
  P.labelX("length; up: how many");
  P.frame();
  return P.Page;
}

/// Of each kind the longest pause in a column, so that no long one is left out.
std::string drawPurposes(const HeapTrace &Heap) {
  static constexpr std::pair<const char *, const char *> Kinds[] = {
      {"increment", "#4c78a8"}, {"begin", "#72b7b2"}, {"idle", "#b0b0b0"}, {"finish", "#e45756"}};
  constexpr double Least = 1;
  const double Time = std::max(1.0, Heap.Last - Heap.First);
  double Longest = 10;
  for (const Pause &Each : Heap.Pauses)
    Longest = std::max(Longest, Each.Length);
  Panel P(60, 740, 720, 240, {0, Time / 1e6, false}, {Least, Longest * 2, true});
  P.title("What each pause was for, by its time and length");
  for (double Value = Least; Value <= Longest * 2; Value *= 10)
    P.tickY(Value, duration(Value));
  for (size_t Place = 0; Place < std::size(Kinds); ++Place) {
    std::map<size_t, const Pause *> Columns;
    for (const Pause &Each : Heap.Pauses)
      if (Each.Event == Kinds[Place].first) {
        auto Column = static_cast<size_t>((Each.Begin - Heap.First) / Time * ColumnsMax);
        const Pause *&Kept = Columns[Column];
        Kept = !Kept || Each.Length > Kept->Length ? &Each : Kept;
      }
    for (auto &[Column, Each] : Columns)
      P.dot((Each->Begin - Heap.First) / 1e6, Each->Length, Kinds[Place].second);
    P.legend(Place, Kinds[Place].second, purposeOf(Kinds[Place].first));
  }
  for (double Value = 0, Step = stepOf(Time / 1e6); Value <= Time / 1e6; Value += Step)
    P.tickX(Value, format("%g", Value));
  P.labelX("time, s");
  P.frame();
  return P.Page;
}

std::string drawUtilisation(const HeapTrace &Heap) {
  constexpr double Least = 10, Most = 1e6, PerDecade = 20;
  const MutatorUtilisation Utilisation(Heap);
  Panel P(480, 400, 340, 240, {Least, Most, true}, {0, 100, false});
  P.title("Minimum mutator utilisation, %, by window");
  for (double Value = 0; Value <= 100; Value += 20)
    P.tickY(Value, format("%.0f", Value));
  for (double Value = Least; Value <= Most; Value *= 10)
    P.tickX(Value, duration(Value));
  std::vector<std::pair<double, double>> Curve;
  for (double I = 0; I <= std::log10(Most / Least) * PerDecade; ++I) {
    const double Window = Least * std::pow(10, I / PerDecade);
    Curve.emplace_back(Window, 100 * Utilisation.least(Window));
  }
  P.path(Curve, "fill=\"none\" stroke=\"#4c78a8\" stroke-width=\"1.8\"");
  P.labelX("window");
  P.frame();
  return P.Page;
}

} // namespace

std::string drawHeap(const HeapTrace &Heap) {
  std::string Page =
      format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
             "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"12\">\n"
             "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
             PageWidth, PageHeight, PageWidth, PageHeight);
  Page += "<text x=\"60\" y=\"24\" font-size=\"15\">" +
          escape("heap " + Heap.Name + " of " + Heap.Process) + "</text>\n";
  return Page + drawComposition(Heap) + drawPauses(Heap) + drawUtilisation(Heap) +
         drawPurposes(Heap) + "</svg>\n";
}

} // namespace acre::cli
