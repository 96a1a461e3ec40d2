using System.Xml.Linq;

namespace EventHubThroughput.Lab.Comparing.Reports;

/// <summary>A chart that can be drawn for a screen and for a phone: two drawings, of which the style sheet shows the one that can be read.</summary>
internal abstract class ChartForm
{
    private const double WideWidth = 760;
    private const double NarrowWidth = 344;

    /// <summary>The text alternative of the chart, for screen readers. The numbers are in a table below.</summary>
    public required string Name { get; init; }

    /// <summary>Both drawings.</summary>
    public IEnumerable<XElement> Draw() =>
        [Draw(WideWidth, isNarrow: false).ToSvg(Name, "chart wide"), Draw(NarrowWidth, isNarrow: true).ToSvg(Name, "chart narrow")];

    /// <param name="width">The width in pixels.</param>
    /// <param name="isNarrow">Whether names and values are above what they name, because there is no room beside it.</param>
    protected abstract Drawing Draw(double width, bool isNarrow);

    /// <summary>A number on an axis, without insignificant digits.</summary>
    public static string TickText(double value) => value.ToString(Math.Abs(value) >= 1000 ? "N0" : "0.####", System.Globalization.CultureInfo.InvariantCulture);
}
