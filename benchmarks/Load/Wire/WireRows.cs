using System.Globalization;
using System.Net;
using System.Net.Sockets;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load.Wire;

/// <summary>
/// Answered transfers between two processes of the same library, in one direction or as round trips. With one in flight, bare sockets are measured too.
/// </summary>
internal static class WireRows
{
    public const int TransferBytes = 1_123;
    public const int AnswerBytes = 32;
    public const uint Credit = 1_000;
    public const string Address = "queue";

    /// <summary>Where a listener answers each message by another one, and where those come from.</summary>
    public const string Requests = "requests";
    public const string Replies = "replies";

    private const string Sockets = "bare sockets";
    private const string Lite = "AMQPNetLite";
    private const string Microsoft = "Microsoft.Azure.Amqp";
    private const string Own = "src/Amqp";

    public static IReadOnlyDictionary<string, WireLibrary> Libraries { get; } =
        new Dictionary<string, WireLibrary>(StringComparer.Ordinal)
        {
            [Sockets] = new(
                static () => new SocketWireListener(),
                static () => new SocketWireSender(TransferBytes),
                static () => new SocketWireSender(AnswerBytes)
            ),
            [Lite] = new(static () => new LiteWireListener(), static () => new LiteWireSender(), static () => new LiteRequester()),
            [Microsoft] = new(static () => new MicrosoftWireListener(), static () => new MicrosoftWireSender(), static () => new MicrosoftRequester()),
            [Own] = new(static () => new OwnWireListener(), static () => new OwnWireSender(), static () => new OwnRequester()),
        };

    /// <summary>For a library that does not report its port.</summary>
    public static int FindFreePort()
    {
        using var probe = new Socket(SocketType.Stream, ProtocolType.Tcp);
        probe.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)probe.LocalEndPoint!).Port;
    }

    public static async Task PrintAsync(CommandConsole console, int rounds, TimeSpan window, TimeProvider clock, CancellationToken cancellationToken)
    {
        (IReadOnlyList<string> Libraries, int[] Lanes)[] tables = [([Lite, Microsoft, Own], [1, 64, 1_000]), ([Sockets, Own], [1])];
        foreach (var (libraries, lanes) in tables)
        {
            await console.Output.WriteLineAsync($"\n{FamilyFigures.Heading("transfers of 1,123 B, one way", libraries)}");
            await PrintAsync(console, rounds, libraries, lanes, (library, count) => MeasureAsync(library, count, window, clock, cancellationToken));
        }
    }

    /// <summary>Round trips of empty messages, a fixed number of them in each round.</summary>
    public static async Task PrintRoundTripsAsync(CommandConsole console, int rounds, int count, TimeProvider clock, CancellationToken cancellationToken)
    {
        (IReadOnlyList<string> Libraries, int[] Lanes)[] tables = [([Lite, Microsoft, Own], [1, 64]), ([Sockets, Own], [1])];
        var title = string.Create(CultureInfo.InvariantCulture, $"empty messages on loopback, {rounds} x {count:N0}");
        foreach (var (libraries, lanes) in tables)
        {
            await console.Output.WriteLineAsync($"\n{FamilyFigures.Heading(title, libraries, "round trip")}");
            await PrintAsync(console, rounds, libraries, lanes, (library, lanes) => RoundTrips.MeasureAsync(library, lanes, count, clock, cancellationToken));
        }
    }

    // Two rows for each number of lanes: the sender's process and the listener's.
    private static async Task PrintAsync(
        CommandConsole console,
        int rounds,
        IReadOnlyList<string> libraries,
        int[] counts,
        Func<string, int, Task<(FamilyRound Sender, FamilyRound Listener)>> measure
    )
    {
        foreach (var lanes in counts)
        {
            var sending = new FamilyFigures(GetName(lanes, "sender"), libraries);
            var listening = new FamilyFigures(GetName(lanes, "listener"), libraries);
            await sending.MeasureAsync(
                rounds,
                async library =>
                {
                    var (sender, listener) = await measure(library, lanes);
                    listening.Add(library, listener);
                    return sender;
                }
            );
            await console.Output.WriteLineAsync($"{sending}\n{listening}");
        }
    }

    private static string GetName(int lanes, string side) => string.Create(CultureInfo.InvariantCulture, $"{lanes:N0} under way, {side}");

    private static async Task<(FamilyRound Sender, FamilyRound Listener)> MeasureAsync(
        string library,
        int lanes,
        TimeSpan window,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        await using var listener = await WireListenerProcess.StartAsync(library, clock, cancellationToken);
        await using var sender = Libraries[library].Send();
        await sender.ConnectAsync(listener.Port, cancellationToken);
        Task<WireSpent>? listenerBefore = null;
        var before = default(WireSpent);
        var counted = await ClosedLoop.RunAsync(
            lanes,
            ClosedLoop.ShortWarmUp,
            window,
            async (_, token) =>
            {
                await sender.SendAsync(token);
                return 1;
            },
            () =>
            {
                listenerBefore = listener.SpentAsync(cancellationToken);
                before = WireSpent.Now;
            },
            clock,
            cancellationToken
        );
        var spent = WireSpent.Now - before;
        return (
            spent.For(counted.Events, counted.Window),
            (await listener.SpentAsync(cancellationToken) - await listenerBefore!).For(counted.Events, counted.Window)
        );
    }
}
