using System.Globalization;
using System.Net;
using System.Net.Sockets;
using EventHubThroughput.CommandLine;

namespace EventHubThroughput.Load.Wire;

/// <summary>
/// Answered transfers in one direction between two processes of the same library. With one transfer in flight, bare sockets are measured too.
/// </summary>
internal static class WireRows
{
    public const int TransferBytes = 1_123;
    public const int AnswerBytes = 32;
    public const uint Credit = 1_000;
    public const string Address = "queue";

    private const string Sockets = "bare sockets";
    private const string Lite = "AMQPNetLite";
    private const string Microsoft = "Microsoft.Azure.Amqp";
    private const string Own = "src/Amqp";

    public static IReadOnlyDictionary<string, (Func<IWireListener> Listen, Func<IWireSender> Connect)> Libraries { get; } =
        new Dictionary<string, (Func<IWireListener>, Func<IWireSender>)>(StringComparer.Ordinal)
        {
            [Sockets] = (static () => new SocketWireListener(), static () => new SocketWireSender()),
            [Lite] = (static () => new LiteWireListener(), static () => new LiteWireSender()),
            [Microsoft] = (static () => new MicrosoftWireListener(), static () => new MicrosoftWireSender()),
            [Own] = (static () => new OwnWireListener(), static () => new OwnWireSender()),
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
        foreach (var (libraries, counts) in tables)
        {
            await console.Output.WriteLineAsync($"\n{FamilyFigures.Heading("transfers of 1,123 B, one way", libraries)}");
            foreach (var lanes in counts)
            {
                var sending = new FamilyFigures(GetName(lanes, "sender"), libraries);
                var listening = new FamilyFigures(GetName(lanes, "listener"), libraries);
                await sending.MeasureAsync(
                    rounds,
                    async library =>
                    {
                        var (sender, listener) = await MeasureAsync(library, lanes, window, clock, cancellationToken);
                        listening.Add(library, listener);
                        return sender;
                    }
                );
                await console.Output.WriteLineAsync($"{sending}\n{listening}");
            }
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
        await using var sender = Libraries[library].Connect();
        await sender.ConnectAsync(listener.Port, cancellationToken);
        Task<WireSpent>? listenerBefore = null;
        var before = default(WireSpent);
        var (transfers, took) = await ClosedLoop.RunAsync(
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
        return (spent.For(transfers, took), (await listener.SpentAsync(cancellationToken) - await listenerBefore!).For(transfers, took));
    }
}
