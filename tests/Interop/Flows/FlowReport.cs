using System.Text.Json;

namespace EventHubThroughput.Interop;

/// <summary>What became of the flows of one group.</summary>
internal sealed class FlowReport
{
    private readonly Dictionary<string, string?> _failures = new(StringComparer.Ordinal);
    private readonly string _remarks;

    private FlowReport(string remarks) => _remarks = remarks;

    public IReadOnlyCollection<string> Flows => _failures.Keys;

    /// <summary>Reads the lines of a script, one of JSON for each flow. Any other line is a remark.</summary>
    public static FlowReport Read(string output, string error)
    {
        var report = new FlowReport(error);
        foreach (var line in output.Split('\n').Where(static line => line.StartsWith("{\"flow\":", StringComparison.Ordinal)))
        {
            using var document = JsonDocument.Parse(line);
            report._failures[document.RootElement.GetProperty("flow").GetString()!] = document.RootElement.GetProperty("failure").GetString();
        }

        return report;
    }

    /// <summary>Runs flows that are methods here, one after the other.</summary>
    public static async Task<FlowReport> RunAsync(IEnumerable<(string Name, Func<Task> Body)> flows)
    {
        var report = new FlowReport(string.Empty);
        foreach ((var name, var body) in flows)
        {
            try
            {
                await body();
                report._failures[name] = null;
            }
            catch (Exception exception) when (exception is not OperationCanceledException)
            {
                report._failures[name] = exception.ToString();
            }
        }

        return report;
    }

    /// <summary>Null when the flow passed, else its own words.</summary>
    public string? GetFailure(string flow) => _failures.TryGetValue(flow, out var failure) ? failure : $"the flow was never reported\n{_remarks}";
}
