using System.Globalization;

namespace EventHubThroughput.AzureProtocol;

/// <summary>Dates of HTTP headers, to the second. The last text is kept for all calls in the same second.</summary>
public static class HttpDate
{
    private static volatile Dated? s_last;

    /// <summary>The text of a moment, such as <c>Sat, 21 Nov 2026 06:43:20 GMT</c>.</summary>
    public static string Format(DateTimeOffset moment)
    {
        var second = moment.UtcTicks / TimeSpan.TicksPerSecond;
        if (s_last is { } last && last.Second == second)
        {
            return last.Text;
        }

        var text = moment.ToString("R", CultureInfo.InvariantCulture);
        s_last = new Dated(second, text);
        return text;
    }

    private sealed record Dated(long Second, string Text);
}
