using System.Threading.Channels;
using Xunit;

namespace EventHubThroughput.Interop;

/// <summary>What the consumers of a group have read, in the order of their reports. One reader at a time.</summary>
internal sealed class Sightings
{
    private readonly Channel<Sighting> channel = Channel.CreateUnbounded<Sighting>();

    public void Add(Sighting sighting) => channel.Writer.TryWrite(sighting);

    public ValueTask<Sighting> ReadAsync(CancellationToken cancellationToken) => channel.Reader.ReadAsync(cancellationToken);

    /// <summary>Reads until this number of different events was seen. Fails the test with the seen ones when that takes too long.</summary>
    /// <param name="count">How many events.</param>
    /// <param name="patience">How long that may take.</param>
    /// <param name="remarks">What a failure also shows.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Sequence numbers by partition, each in the order of the reports, with every repetition.</returns>
    public async Task<SortedDictionary<string, List<long>>> ReadAsync(
        int count,
        TimeSpan patience,
        Func<IEnumerable<string>> remarks,
        CancellationToken cancellationToken
    )
    {
        var seen = new SortedDictionary<string, List<long>>(StringComparer.Ordinal);
        using var late = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        late.CancelAfter(patience);
        try
        {
            while (seen.Values.Sum(static numbers => numbers.Distinct().Count()) < count)
            {
                var sighting = await ReadAsync(late.Token);
                if (!seen.TryGetValue(sighting.Partition, out var numbers))
                {
                    seen.Add(sighting.Partition, numbers = []);
                }

                numbers.Add(sighting.SequenceNumber);
            }
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            var known = seen.Select(static one => $"partition {one.Key}: {string.Join(' ', one.Value)}");
            Assert.Fail($"{count} events should be seen\n{string.Join('\n', known.Concat(remarks()))}");
        }

        return seen;
    }
}

/// <summary>An event that a consumer has read, and whose checkpoint it has stored.</summary>
internal sealed record Sighting(string Partition, long SequenceNumber, bool IsOurs);
