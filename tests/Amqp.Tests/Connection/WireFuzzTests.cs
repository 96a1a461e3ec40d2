using System.Buffers;
using System.Collections.Concurrent;
using System.Globalization;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Amqp.Tests.Framing;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Amqp.Tests.Connection;

/// <summary>
/// Real traffic with its bytes and frames changed, for the available time: half a minute each in CI, a second at a desk, <c>AMQP_FUZZ_SECONDS</c>
/// otherwise. <c>AMQP_FUZZ_SEED</c> repeats a run. A failure names it and the bytes.
/// </summary>
public sealed class WireFuzzTests
{
    // Only a broken run reaches it.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private static readonly AmqpConnectionOptions Client = new() { Host = "memory", Port = 0 };

    private static readonly AmqpListenerOptions Limits = new()
    {
        MaxFrameSize = 4_096,
        MaxMessageSize = 16_384,
        RefusalLimit = 10,
    };

    private readonly int seed = Setting("AMQP_FUZZ_SEED") ?? Budget.DrawSeed();
    private readonly TimeSpan duration = TimeSpan.FromSeconds(Setting("AMQP_FUZZ_SECONDS") ?? (Budget.IsCI ? 30 : 1));

    [Fact]
    public async Task A_changed_stream_gives_the_same_frames_or_the_same_error_however_it_is_cut()
    {
        var traffic = await RecordAsync();
        var refused = 0;
        var executions = await RepeatAsync(random =>
        {
            var stream = traffic.Next(random);
            var whole = Read(stream, stream.Length, stream.Length);
            var cut = Read(stream, random.Next(1, 100), random.Next(1, 100));
            Assert.True(whole.Fault is null or AmqpException { Scope: AmqpErrorScope.Decode }, $"{Describe(stream)}: {whole.Fault}");
            Assert.True(
                whole.Frames == cut.Frames && whole.Fault?.Message == cut.Fault?.Message,
                $"{Describe(stream)}: {whole.Frames} frames and {whole.Fault?.Message}; cut {cut.Frames} and {cut.Fault}"
            );
            refused += whole.Fault is null ? 0 : 1;
            return Task.CompletedTask;
        });

        // Were all refused, or none, the changes would test nothing.
        Assert.InRange(refused, executions / 20, executions * 19 / 20);
    }

    [Fact]
    public async Task A_changed_conversation_ends_in_a_defined_error_or_in_none()
    {
        var traffic = await RecordAsync();
        var opened = 0;
        var executions = await RepeatAsync(async random =>
        {
            var stream = traffic.Next(random);
            var (hasOpened, fault) = await ServeAsync(stream).WaitAsync(Patience, TimeProvider.System);
            Assert.True(fault is null, $"{Describe(stream)}: {fault}");
            opened += hasOpened ? 1 : 0;
        });
        Assert.InRange(opened, executions / 20, executions * 19 / 20);
    }

    // The result of a whole connection of a listener with these bytes: whether it was opened, and each end without a defined error.
    private static async Task<(bool HasOpened, Exception? Fault)> ServeAsync(byte[] stream)
    {
        ConcurrentQueue<Exception> faults = [];
        var options = Limits with
        {
            Notice = notice =>
            {
                if (notice.Exception is not (null or AmqpException or OperationCanceledException))
                {
                    faults.Enqueue(notice.Exception);
                }
            },
        };
        var (near, far) = DuplexStream.CreatePair();
        await using var _ = near;
        var answers = near.CopyToAsync(Stream.Null);
        var writing = WriteAsync(near, stream);
        AmqpConnection connection;
        try
        {
            connection = await AmqpConnectionPair.ServeAsync(options, far, static _ => new AnyLink(), CancellationToken.None);
        }
        catch (AmqpException)
        {
            await far.DisposeAsync();
            await Task.WhenAll(answers, writing);
            return (false, null);
        }

        await connection.Completion;
        var hasOpened = connection.RemoteOpen is not null;
        await connection.DisposeAsync();
        await Task.WhenAll(answers, writing);

        // The reason of the end is reported to each caller that still uses the connection.
        var over = await Assert.ThrowsAsync<AmqpException>(() => connection.BeginSessionAsync(new AmqpSessionOptions(), CancellationToken.None));
        if (over.InnerException?.InnerException is { } cause and not (AmqpException or IOException or OperationCanceledException or ObjectDisposedException))
        {
            faults.Enqueue(cause);
        }

        return (hasOpened, faults.FirstOrDefault());
    }

    private static async Task WriteAsync(DuplexStream near, byte[] stream)
    {
        try
        {
            await near.WriteAsync(stream);
            near.CompleteWriting();
        }
        catch (IOException)
        {
            // The listener has hung up before it has read all, as it may.
        }
    }

    // The output of our client in a conversation with our listener, in pieces: headers and frames.
    private static async Task<FuzzedTraffic> RecordAsync()
    {
        var (near, far) = DuplexStream.CreatePair();
        WatchedStream wire = new(near);
        await using (var pair = await AmqpConnectionPair.OpenAsync(Client, wire, Limits, far, static _ => new AnyLink(), TestContext.Current.CancellationToken))
        {
            var session = await pair.Client.BeginSessionAsync(new AmqpSessionOptions(), CancellationToken.None);
            var sender = await session.AttachSenderAsync(Serving.To("s"), CancellationToken.None);
            await sender.TransferAsync(new ReadOnlySequence<byte>(new byte[9_000]), new OutgoingTransfer { Settled = true }, CancellationToken.None);
            var receiver = await session.AttachReceiverAsync(Serving.From("r"), 2, CancellationToken.None);
            receiver.Settle(await receiver.ReceiveAsync(CancellationToken.None), Accepted.Instance);
            await sender.DetachAsync(null, CancellationToken.None);
            await session.EndAsync(null, CancellationToken.None);
        }

        return new FuzzedTraffic(wire.Written);
    }

    private static (int Frames, AmqpException? Fault) Read(byte[] stream, int arrival, int segment)
    {
        var frames = 0;
        var taken = 0;
        try
        {
            for (var arrived = 0; arrived < stream.Length; )
            {
                arrived = Math.Min(stream.Length, arrived + arrival);
                var buffer = Segments.Of(stream.AsMemory(taken..arrived), segment);
                while (TryRead(ref buffer))
                {
                    frames++;
                }

                taken = arrived - (int)buffer.Length;
            }

            return (frames, null);
        }
        catch (AmqpException exception)
        {
            return (frames, exception);
        }
    }

    // A header or a frame: a frame that began like a header would be a gigabyte long.
    private static bool TryRead(ref ReadOnlySequence<byte> buffer) =>
        buffer.Length >= ProtocolHeader.Length && new SequenceReader<byte>(buffer).IsNext("AMQP"u8)
            ? ProtocolHeader.TryRead(ref buffer, out _)
            : FrameReader.TryRead(ref buffer, Limits.MaxFrameSize, out _);

    private static int? Setting(string name) =>
        Environment.GetEnvironmentVariable(name) is { Length: > 0 } text ? int.Parse(text, CultureInfo.InvariantCulture) : null;

    private string Describe(byte[] stream) => $"AMQP_FUZZ_SEED={seed}, {Convert.ToHexStringLower(stream)}";

    private async Task<int> RepeatAsync(Func<Random, Task> execution)
    {
        var clock = TimeProvider.System;
        Random random = new(seed);
        var executions = 0;
        for (var began = clock.GetTimestamp(); clock.GetElapsedTime(began) < duration; executions++)
        {
            await execution(random);
        }

        TestContext.Current.TestOutputHelper?.WriteLine($"AMQP_FUZZ_SEED={seed}: {executions} executions in {duration.TotalSeconds} s");
        return executions;
    }
}
