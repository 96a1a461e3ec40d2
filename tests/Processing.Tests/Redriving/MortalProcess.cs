using EventHubThroughput.Clients;
using EventHubThroughput.Clients.Blobs;
using EventHubThroughput.Events;
using EventHubThroughput.Processing.Sinks;
using EventHubThroughput.Processing.Tests.Doubles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Processing.Tests.Redriving;

/// <summary>The end of a process: after it nothing is done any more.</summary>
internal sealed class CrashException() : Exception("killed");

/// <summary>How many steps a process has left to live.</summary>
internal sealed class ProcessLife(int steps)
{
    private int left = steps;

    /// <summary>One step. Dies at the last one and does nothing from then on.</summary>
    public void Step()
    {
        if (--left <= 0)
        {
            throw new CrashException();
        }
    }
}

/// <summary>How often each sink wrote each event, and which of them must be written in the end.</summary>
internal sealed class WriteCounts
{
    private readonly Dictionary<(string Sink, long Sequence), int> lost = [];

    public Dictionary<(string Sink, long Sequence), int> All { get; } = [];

    public HashSet<(string Sink, long Sequence)> Expected { get; } = [];

    public static async Task FillAsync(RedriveBench bench, WriteCounts writes, Random random)
    {
        for (var sequence = 0; sequence < random.Next(1, 6); sequence++)
        {
            string[] sinks = random.Next(3) switch
            {
                0 => ["servicebus"],
                1 => ["blob"],
                _ => ["blob", "servicebus"],
            };
            var received = Some.Event(sequence);
            var isLarge = random.Next(4) == 0;
            await bench.GiveUpAsync(
                new ReceivedEvent
                {
                    PartitionId = received.PartitionId,
                    SequenceNumber = sequence,
                    Offset = received.Offset,
                    Body = received.Body,
                    EncodedProperties = new byte[isLarge ? 9000 : 0],
                },
                sinks
            );
            writes.Expected.UnionWith(sinks.Select(sink => (sink, (long)sequence)));
        }
    }

    public void Add(string sink, long sequence, bool isAnswered)
    {
        All[(sink, sequence)] = All.GetValueOrDefault((sink, sequence)) + 1;
        lost[(sink, sequence)] = GetLostAnswers((sink, sequence)) + (isAnswered ? 0 : 1);
    }

    public int GetLostAnswers((string Sink, long Sequence) write) => lost.GetValueOrDefault(write);

    /// <summary>Every write that is still to be done is named by a dead letter that has all of the event.</summary>
    public void CheckThatNothingIsLost(MemoryBlobs container)
    {
        foreach (var (sink, sequence) in Expected.Except(All.Keys))
        {
            var record = container.Blobs[RedriveBench.GetName(sequence)];
            Assert.Contains(sink, DeadLetterFields.GetSinks(record.Metadata!)!);
            Assert.True(
                record.Metadata!.GetValueOrDefault(DeadLetterFields.Properties) != DeadLetterFields.PropertiesSuffix
                    || container.Blobs.ContainsKey(record.Name + DeadLetterFields.PropertiesSuffix)
            );
        }
    }
}

/// <summary>A sink that counts its writes. In a life it refuses, passes failures on and loses answers according to the schedule.</summary>
internal sealed class CountingSink(string name, WriteCounts writes, Schedule schedule, ProcessLife? life = null) : ISink<ReceivedEvent>
{
    public string Name => name;

    public async ValueTask WriteAsync(ReceivedEvent receivedEvent, CancellationToken cancellationToken)
    {
        await schedule.PauseAsync(20, cancellationToken);
        life?.Step();
        var chance = life is null ? 9 : schedule.Random.Next(10);
        if (chance == 0)
        {
            throw new MessagingException(FailureKind.Permanent, "refused");
        }

        if (chance == 1)
        {
            throw new MessagingException(FailureKind.Transient, "busy");
        }

        writes.Add(name, receivedEvent.SequenceNumber, isAnswered: chance != 2);
        life?.Step();
        await schedule.PauseAsync(20, CancellationToken.None);
        if (chance == 2)
        {
            throw new MessagingException(FailureKind.Transient, "the answer was lost");
        }
    }
}

/// <summary>The container as a process with a life sees it: requests fail before or after they are done, and end with the process.</summary>
internal sealed class MortalContainer(MemoryBlobs inner, ProcessLife life, Schedule schedule) : IBlobContainer
{
    public string Name => inner.Name;

    public ValueTask<string> UploadAsync(BlobUpload upload, CancellationToken cancellationToken) =>
        new(StepAsync(() => inner.UploadAsync(upload, cancellationToken).AsTask()));

    public Task<BlobProperties> SetMetadataAsync(
        string name,
        IReadOnlyDictionary<string, string> metadata,
        BlobCondition condition,
        CancellationToken cancellationToken
    ) => StepAsync(() => inner.SetMetadataAsync(name, metadata, condition, cancellationToken));

    public Task<BlobProperties?> GetPropertiesAsync(string name, CancellationToken cancellationToken) =>
        StepAsync(() => inner.GetPropertiesAsync(name, cancellationToken));

    public Task<ReadOnlyMemory<byte>> DownloadAsync(string name, CancellationToken cancellationToken) =>
        StepAsync(() => inner.DownloadAsync(name, cancellationToken));

    public async IAsyncEnumerable<BlobProperties> ListAsync(
        string? prefix,
        [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken
    )
    {
        await foreach (var blob in inner.ListAsync(prefix, cancellationToken))
        {
            await StepAsync(static () => Task.FromResult(true));
            yield return blob;
        }
    }

    public Task<bool> DeleteAsync(string name, BlobCondition condition, CancellationToken cancellationToken) =>
        StepAsync(() => inner.DeleteAsync(name, condition, cancellationToken));

    public Task<bool> CreateIfMissingAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

    public Task<bool> ExistsAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

    private async Task<T> StepAsync<T>(Func<Task<T>> request)
    {
        await schedule.PauseAsync(5, CancellationToken.None);
        life.Step();
        FailPerhaps();
        var answer = await request();
        life.Step();
        FailPerhaps();
        return answer;
    }

    private void FailPerhaps()
    {
        if (schedule.Random.Next(12) == 0)
        {
            throw new MessagingException(FailureKind.Transient, "no answer");
        }
    }
}
