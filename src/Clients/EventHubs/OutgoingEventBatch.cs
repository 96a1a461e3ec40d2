using System.Buffers;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>
/// Events encoded into one buffer as they are added. The buffer is the batch message: the envelope's annotations, then one data
/// section per event. A single event is sent plainly, as the slice of that buffer which it is. Not for concurrent use.
/// </summary>
internal sealed class OutgoingEventBatch : IOutgoingEventBatch
{
    private readonly ArrayBufferWriter<byte> batch = new();
    private readonly ArrayBufferWriter<byte> scratch = new();
    private readonly long limit;
    private int firstLength;

    public OutgoingEventBatch(string? partitionKey, string? partitionId, long limit)
    {
        PartitionKey = partitionKey;
        PartitionId = partitionId;
        this.limit = limit;
        MessageWriter.WritePartitionKey(batch, partitionKey);
    }

    public string? PartitionKey { get; }

    public string? PartitionId { get; }

    public int Count { get; private set; }

    public long SizeInBytes => Payload.Length;

    /// <summary>What goes into the transfer.</summary>
    public ReadOnlyMemory<byte> Payload =>
        Count switch
        {
            0 => default,
            1 => batch.WrittenMemory[^firstLength..],
            _ => batch.WrittenMemory,
        };

    public uint MessageFormat => Count > 1 ? AmqpNames.BatchFormat : 0;

    public bool TryAdd(OutgoingEvent outgoingEvent)
    {
        scratch.ResetWrittenCount();
        MessageWriter.WritePartitionKey(scratch, PartitionKey);
        MessageWriter.WriteProperties(scratch, null, outgoingEvent.ContentType);
        WriteApplicationProperties(outgoingEvent.Properties);
        MessageWriter.WriteBody(scratch, EventBodyKind.Data, outgoingEvent.Body);
        var length = scratch.WrittenCount;
        var size = Count == 0 ? length : batch.WrittenCount + (long)MessageWriter.DataSectionLength(length);
        if (size > limit)
        {
            return false;
        }

        MessageWriter.WriteDataHeader(batch, length);
        batch.Write(scratch.WrittenSpan);
        firstLength = Count == 0 ? length : firstLength;
        Count++;
        return true;
    }

    private void WriteApplicationProperties(IReadOnlyDictionary<string, object?> properties)
    {
        if (properties.Count == 0)
        {
            return;
        }

        AmqpMap map = [];
        foreach ((var name, var value) in properties)
        {
            map.Add(name, value is DateTimeOffset time ? AmqpTimestamp.From(time) : value);
        }

        new AmqpMessage { ApplicationProperties = map }.Encode(scratch);
    }
}
