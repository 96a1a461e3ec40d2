using System.Net.Http.Headers;
using System.Text;
using System.Text.Json.Nodes;

namespace EventHubThroughput.Load;

/// <summary>
/// Arms one fault after another. Each strikes a few times within its turn and is then taken away, so that a consumer with a fifth of
/// its rate to spare can catch up: what is tried is recovery, again and again, not a broken service.
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

    /// <summary>What is armed, turn by turn, as the emulator's laboratory reads it; all are names of its catalogue.</summary>
    public static IReadOnlyList<string> Rules { get; } =
    [
        """{ "name": "F6-send", "every": 40, "limit": 3 }""",
        """{ "name": "F13", "every": 10, "limit": 10 }""",
        """{ "name": "F8", "every": 100, "limit": 1 }""",
        """{ "name": "F11", "every": 40, "limit": 3 }""",
        """{ "name": "F17", "probability": 0.3, "limit": 5 }""",
        """{ "name": "F14", "every": 40, "limit": 3 }""",
        """{ "name": "F8-send", "every": 40, "limit": 3 }""",
        """{ "name": "F10-all", "toSeconds": 1 }""",
        """{ "name": "F13-500", "every": 10, "limit": 10 }""",
        """{ "name": "F6-checkpoint", "every": 5, "limit": 2 }""",
        """{ "name": "F8-stolen", "nth": 50 }""",
        """{ "name": "F25", "every": 100, "limit": 2 }""",
        """{ "name": "F13-408", "every": 10, "limit": 10 }""",
        """{ "name": "F9", "ms": 2000 }""",
        """{ "name": "F8-limit", "every": 100, "limit": 1 }""",
        """{ "name": "F17-slow", "limit": 1 }""",
        """{ "name": "F13-429", "every": 10, "limit": 10 }""",
        """{ "name": "F38", "fromSeconds": 1 }""",
        """{ "name": "F21", "every": 5, "limit": 1 }""",
        """{ "name": "F10-2", "probability": 0.05, "limit": 20 }""",
    ];

    /// <summary>Per fault how often it was armed and how often it struck.</summary>
    public IReadOnlyDictionary<string, (int Armed, long Struck)> Counts => _counts;

    public static string NameOf(string rule) => (string)JsonNode.Parse(rule)!["name"]!;

    /// <summary>Takes the fault of the turn before away and arms the next one.</summary>
    public async Task TurnAsync(int turn, CancellationToken cancellationToken)
    {
        await EndAsync(cancellationToken);
        var rule = Rules[turn % Rules.Count];
        using var body = new StringContent(rule, Encoding.UTF8, "application/json");
        using var answer = await _http.PostAsync(new Uri("faults", UriKind.Relative), body, cancellationToken);
        answer.EnsureSuccessStatusCode();
        var (armed, struck) = _counts.GetValueOrDefault(NameOf(rule));
        _counts[NameOf(rule)] = (armed + 1, struck);
    }

    /// <summary>Takes away what is armed, after counting its strokes.</summary>
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
