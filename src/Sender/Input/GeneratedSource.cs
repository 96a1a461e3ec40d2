using EventHubThroughput.Workload;

namespace EventHubThroughput.Sender.Input;

internal sealed class GeneratedSource(long count, PayloadFactory payloads, KeyDistribution keys) : IEventSource
{
    public long Count { get; } = count;

    public IEnumerable<SourceEvent> Read()
    {
        for (long index = 0; index < Count; index++)
        {
            yield return new SourceEvent(payloads.Create(index), payloads.GetContentType(index), keys.GetKey(index));
        }
    }
}
