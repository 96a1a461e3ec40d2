using System.Globalization;
using System.Text;
using System.Xml.Linq;
using EventHubThroughput.Comparison;
using EventHubThroughput.Lab.Results;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Comparing.Gates;

/// <summary>
/// The gates and the verdicts of a comparison as JUnit XML, the form that build servers read. A gate that has come true is a failure. A gate without a
/// decision is an error.
/// </summary>
internal static class JUnitReport
{
    /// <summary>The text of the file.</summary>
    public static string Of(ComparisonResult result, IReadOnlyList<GateVerdict> gates)
    {
        XElement[] cases = [.. result.Strategies.Select(GetCase), .. gates.Select(GetCase)];
        var suite = new XElement(
            "testsuite",
            new XAttribute("name", result.Comparison.Arguments[0]),
            GetCounts(cases),
            new XAttribute("timestamp", result.Comparison.StartedUtc.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss", CultureInfo.InvariantCulture)),
            new XElement(
                "properties",
                GetProperty("version", result.Program.Version),
                result.Settings.Services is { } services ? GetProperty("eventHubs", services.EventHubs) : GetProperty("profile", result.Settings.Profile ?? ""),
                GetProperty("blocks", result.Settings.Repeats.ToString(CultureInfo.InvariantCulture))
            ),
            cases
        );
        var root = new XElement("testsuites", new XAttribute("name", "EventHubThroughput"), GetCounts(cases), suite);
        return new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n").Append(root).Append('\n').ToString();
    }

    private static XElement GetCase(ComparedStrategy strategy) =>
        GetCase(
            "verdict",
            strategy.Label,
            strategy.Verdict switch
            {
                SafetyVerdict.Clean => null,
                SafetyVerdict.Failed => new XElement("failure", new XAttribute("message", "an event was lost, or another guarantee was broken")),
                _ => new XElement("error", new XAttribute("message", "no cell has a verdict")),
            }
        );

    private static XElement GetCase(GateVerdict gate) =>
        GetCase(
            "gate",
            gate.Gate,
            gate.Outcome switch
            {
                GateOutcome.Passed => new XElement("system-out", GetText(gate.Text)),
                GateOutcome.Failed => new XElement("failure", new XAttribute("message", GetText(gate.Text))),
                _ => new XElement("error", new XAttribute("message", GetText(gate.Text))),
            }
        );

    private static XElement GetCase(string kind, string name, XElement? outcome) =>
        new("testcase", new XAttribute("classname", kind), new XAttribute("name", GetText(name)), new XAttribute("time", "0"), outcome);

    private static XAttribute[] GetCounts(XElement[] cases) =>
        [
            new("tests", cases.Length),
            new("failures", cases.Count(static one => one.Element("failure") is not null)),
            new("errors", cases.Count(static one => one.Element("error") is not null)),
            new("skipped", 0),
        ];

    private static XElement GetProperty(string name, string value) => new("property", new XAttribute("name", name), new XAttribute("value", GetText(value)));

    // XML 1.0 has no form for most control characters.
    private static string GetText(string text) => TerminalText.OneLine(text);
}
