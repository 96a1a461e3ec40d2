using System.Net.Http.Headers;
using System.Text;
using System.Text.Json.Nodes;

namespace EventHubThroughput.Load;

/// <summary>
/// Arms one fault after another. Each strikes a few times within its turn and is then removed. A consumer with half of its rate to spare catches up
/// (<see cref="SoakLag"/>), so the soak tests recovery and not a broken service.
/// </summary>
internal sealed class FaultRotation : IDisposable
{
    private static readonly TimeSpan AnswerLimit = TimeSpan.FromSeconds(10);

    private readonly HttpClient _http;
    private readonly Dictionary<string, (int Armed, long Struck)> _counts = new(StringComparer.Ordinal);

    public FaultRotation(IReadOnlyDictionary<string, string> settings)
    {
#pragma warning disable CA2000 // The client owns and disposes its handler.
        _http = new HttpClient(new SocketsHttpHandler { UseProxy = false }, disposeHandler: true)
        {
            BaseAddress = new Uri(settings["EMULATOR_ADMIN_URL"]),
            Timeout = AnswerLimit,
        };
#pragma warning restore CA2000
        var key = settings["EVENTHUB_CONNECTION_STRING"].Split(';').Single(static part => part.StartsWith("SharedAccessKey=", StringComparison.Ordinal));
        _http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key[(key.IndexOf('=', StringComparison.Ordinal) + 1)..]);
    }

    /// <summary>For each fault how often it was armed and how often it struck.</summary>
    public IReadOnlyDictionary<string, (int Armed, long Struck)> Counts => _counts;

    /// <summary>Removes the fault of the previous turn and arms the next one.</summary>
    public async Task TurnAsync(int turn, CancellationToken cancellationToken)
    {
        await EndAsync(cancellationToken);
        var rule = SoakFaults.GetRule(turn);
        using var body = new StringContent(rule, Encoding.UTF8, "application/json");
        using var answer = await _http.PostAsync(new Uri("faults", UriKind.Relative), body, cancellationToken);
        answer.EnsureSuccessStatusCode();
        var (armed, struck) = _counts.GetValueOrDefault(SoakFaults.GetName(rule));
        _counts[SoakFaults.GetName(rule)] = (armed + 1, struck);
    }

    /// <summary>Counts the strikes of the armed fault and removes it.</summary>
    public async Task EndAsync(CancellationToken cancellationToken)
    {
        var state = JsonNode.Parse(await _http.GetStringAsync(new Uri("faults", UriKind.Relative), cancellationToken))!;
        foreach (var fault in state["faults"]!.AsArray())
        {
            var name = (string)fault!["name"]!;
            var (armed, struck) = _counts.GetValueOrDefault(name);
            _counts[name] = (armed, struck + (long)fault["struck"]!);
        }

        using var answer = await _http.DeleteAsync(new Uri("faults", UriKind.Relative), cancellationToken);
        answer.EnsureSuccessStatusCode();
    }

    public void Dispose() => _http.Dispose();
}
