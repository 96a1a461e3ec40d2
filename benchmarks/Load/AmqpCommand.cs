using System.CommandLine;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.CommandLine;
using EventHubThroughput.Load.Wire;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Load;

/// <summary>Compares src/Amqp with AMQPNetLite and Microsoft.Azure.Amqp in one run, with a separate emulator in each round.</summary>
internal static class AmqpCommand
{
    public const int BodyBytes = 1_024;
    public const uint Credit = 300;

    private const int Coded = 200_000;
    private const int Backlog = 20_000;
    private const int FillLanes = 64;

    private static readonly Dictionary<string, Func<IAmqpPeer>> Peers = new(StringComparer.Ordinal)
    {
        ["AMQPNetLite"] = static () => new LiteAmqpPeer(),
        ["Microsoft.Azure.Amqp"] = static () => new MicrosoftAmqpPeer(),
        ["src/Amqp"] = static () => new OwnAmqpPeer(),
    };

    private static readonly Option<int> Rounds = Options.Integer("--rounds", "rounds of each row and library", 5, 1, 100);
    private static readonly Option<TimeSpan> Window = Options.Duration(
        "--window",
        "time that is counted in a round of sending",
        TimeSpan.FromSeconds(2),
        TimeSpan.FromSeconds(1),
        TimeSpan.FromMinutes(5)
    );

    public static RootCommand Create(CommandConsole console, TimeProvider clock)
    {
        var root = new RootCommand(
            "Compares AMQP libraries: messages of 1 KiB, encoded, decoded, sent to and received from the emulator; transfers between two processes."
        )
        {
            Rounds,
            Window,
        };
        root.SetAction(
            async (parsed, cancellationToken) =>
            {
                await console.Output.WriteLineAsync(FamilyFigures.Heading("messages of 1 KiB", [.. Peers.Keys]));
                foreach (var (name, measure) in GetRows(parsed.GetValue(Window), clock, cancellationToken))
                {
                    var figures = new FamilyFigures(name, [.. Peers.Keys]);
                    await figures.MeasureAsync(parsed.GetValue(Rounds), library => measure(Peers[library]));
                    await console.Output.WriteLineAsync($"{figures}");
                }

                await WireRows.PrintAsync(console, parsed.GetValue(Rounds), parsed.GetValue(Window), clock, cancellationToken);

                return 0;
            }
        );
        return root;
    }

    /// <exception cref="FailureException">A library returned a wrong result.</exception>
    public static void Expect(bool isTrue)
    {
        if (!isTrue)
        {
            throw new FailureException(FailureCause.Verification, "a message is not what was sent");
        }
    }

    private static IEnumerable<(string Name, Func<Func<IAmqpPeer>, Task<FamilyRound>> Measure)> GetRows(
        TimeSpan window,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        yield return ("encode", create => CodeAsync(create, static peer => peer.Encode(), clock));
        yield return ("decode", create => CodeAsync(create, static peer => peer.Decode(), clock));
        foreach (var lanes in new[] { 1, 64 })
        {
            yield return ($"send, {lanes} under way", create => SendAsync(create, lanes, window, clock, cancellationToken));
        }

        yield return ($"receive, {Credit} in advance", create => ReceiveAsync(create, clock, cancellationToken));
    }

    private static async Task<FamilyRound> CodeAsync(Func<IAmqpPeer> create, Func<IAmqpPeer, int> operation, TimeProvider clock)
    {
        await using var peer = create();
        peer.Encode();
        for (var i = 0; i < Coded / 4; i++)
        {
            Expect(operation(peer) >= BodyBytes);
        }

        var (bytes, cpu, start) = (GC.GetAllocatedBytesForCurrentThread(), Environment.CpuUsage.TotalTime, clock.GetTimestamp());
        for (var i = 0; i < Coded; i++)
        {
            operation(peer);
        }

        return new FamilyRound(
            Coded / clock.GetElapsedTime(start).TotalSeconds,
            (Environment.CpuUsage.TotalTime - cpu).TotalMicroseconds / Coded,
            (double)(GC.GetAllocatedBytesForCurrentThread() - bytes) / Coded
        );
    }

    private static async Task<FamilyRound> SendAsync(
        Func<IAmqpPeer> create,
        int lanes,
        TimeSpan window,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        await using var emulator = await EmulatorProcess.StartAsync(CeilingLoads.RetentionBytes, null, [], clock, cancellationToken);
        await using var peer = create();
        await ConnectAsync(peer, emulator, cancellationToken);
        var before = default(Spent);
        var counted = await ClosedLoop.RunAsync(
            lanes,
            ClosedLoop.ShortWarmUp,
            window,
            async (_, token) =>
            {
                await peer.SendAsync(token);
                return 1;
            },
            () => before = Spent.By(emulator),
            clock,
            cancellationToken
        );
        return GetRound(counted.Events, counted.Window, Spent.By(emulator) - before);
    }

    private static async Task<FamilyRound> ReceiveAsync(Func<IAmqpPeer> create, TimeProvider clock, CancellationToken cancellationToken)
    {
        await using var emulator = await EmulatorProcess.StartAsync(CeilingLoads.RetentionBytes, null, [], clock, cancellationToken);
        await using var peer = create();
        await ConnectAsync(peer, emulator, cancellationToken);
        await Task.WhenAll(Enumerable.Range(0, FillLanes).Select(_ => FillAsync(peer, Backlog / FillLanes, cancellationToken)));
        const int WarmUp = Backlog / 10;
        await peer.ReceiveAsync(WarmUp, cancellationToken);
        var (before, start) = (Spent.By(emulator), clock.GetTimestamp());
        const int Counted = Backlog / 2;
        await peer.ReceiveAsync(Counted, cancellationToken);
        return GetRound(Counted, clock.GetElapsedTime(start), Spent.By(emulator) - before);
    }

    private static async Task FillAsync(IAmqpPeer peer, int count, CancellationToken cancellationToken)
    {
        for (var i = 0; i < count; i++)
        {
            await peer.SendAsync(cancellationToken);
        }
    }

    private static Task ConnectAsync(IAmqpPeer peer, EmulatorProcess emulator, CancellationToken cancellationToken) =>
        peer.ConnectAsync(
            MessagingConnectionString.Parse(emulator.Settings["SERVICEBUS_CONNECTION_STRING"]),
            emulator.Settings["SERVICEBUS_QUEUE"],
            cancellationToken
        );

    private static FamilyRound GetRound(long messages, TimeSpan took, Spent spent) =>
        new(messages / took.TotalSeconds, spent.Client.TotalMicroseconds / messages, (double)spent.ClientBytes / messages);
}
