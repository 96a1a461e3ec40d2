using System.Diagnostics;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.AzureProtocol;
using EventHubThroughput.Clients.Connections;
using EventHubThroughput.Events;

namespace EventHubThroughput.Clients.EventHubs;

/// <summary>
/// Events encoded into one buffer as they are added. The buffer is the batch message: the envelope's annotations, then one data section per event. A single
/// event is sent without an envelope, as a slice of that buffer. Not for concurrent use.
/// </summary>
internal sealed class OutgoingEventBatch : IOutgoingEventBatch
{
    private readonly RentedBuffer batch = new();
    private readonly long limit;
    private readonly int annotationsLength;
    private int firstLength;
    private long finalSize;
    private int sending;
    private bool isStored;

    public OutgoingEventBatch(string? partitionKey, string? partitionId, long limit)
    {
        PartitionKey = partitionKey;
        PartitionId = partitionId;
        this.limit = limit;
        MessageWriter.WritePartitionKey(batch, partitionKey);
        annotationsLength = batch.Length;
    }

    public string? PartitionKey { get; }

    public string? PartitionId { get; }

    public int Count { get; private set; }

    public long MaximumSizeInBytes => limit;

    public long SizeInBytes => isStored ? finalSize : Payload.Length;

    /// <summary>The bytes of the transfer.</summary>
    public ReadOnlyMemory<byte> Payload =>
        Count switch
        {
            0 => default,
            1 => batch.Written[^firstLength..],
            _ => batch.Written,
        };

    public uint MessageFormat => Count > 1 ? AmqpNames.BatchFormat : 0;

    public bool TryAdd(OutgoingEvent outgoingEvent) => TryAdd(outgoingEvent, null);

    /// <summary>Adds an event with its own key to a batch for a partition. The envelope then has no key.</summary>
    public bool TryAdd(OutgoingEvent outgoingEvent, string? ownKey)
    {
        Debug.Assert(ownKey is null || PartitionKey is null, "the batch's key is that of its events");
        ThrowIfStored();
        var start = batch.Length;
        int length;
        try
        {
            length = Encode(outgoingEvent, ownKey);
        }
        catch
        {
            batch.Truncate(start);
            throw;
        }

        var size = Count == 0 ? length : start + (long)MessageWriter.DataSectionLength(length);
        if (size > limit)
        {
            batch.Truncate(start);
            return false;
        }

        MessageWriter.FillDataHeader(batch, start);
        firstLength = Count == 0 ? length : firstLength;
        Count++;
        return true;
    }

    /// <summary>Marks the bytes as being sent, by one or several tries.</summary>
    /// <exception cref="MessagingException">The batch is stored already.</exception>
    public void BeginSending()
    {
        lock (batch)
        {
            ThrowIfStored();
            sending++;
        }
    }

    /// <summary>Marks the bytes as free. Those of a stored batch return to their pool, and it cannot be sent again.</summary>
    public void EndSending(bool isStored)
    {
        lock (batch)
        {
            if (isStored && !this.isStored)
            {
                finalSize = Payload.Length;
                this.isStored = true;
            }

            if (--sending == 0 && this.isStored)
            {
                batch.Release();
            }
        }
    }

    // The event follows space for the header of its data section, which is written when its length is known.
    private int Encode(OutgoingEvent outgoingEvent, string? ownKey)
    {
        MessageWriter.ReserveDataHeader(batch);
        var start = batch.Length;
        if (annotationsLength > 0)
        {
            // The event has the same section as the envelope. Get the span first: it may move the bytes that are copied.
            var copy = batch.GetSpan(annotationsLength);
            batch.Written.Span[..annotationsLength].CopyTo(copy);
            batch.Advance(annotationsLength);
        }

        MessageWriter.WritePartitionKey(batch, ownKey);
        MessageWriter.WriteProperties(batch, null, outgoingEvent.ContentType);
        WriteApplicationProperties(outgoingEvent.Properties);
        MessageWriter.WriteBody(batch, EventBodyKind.Data, outgoingEvent.Body);
        return batch.Length - start;
    }

    private void ThrowIfStored()
    {
        if (isStored)
        {
            throw new MessagingException(FailureKind.Permanent, $"the batch of {Count:N0} events is stored already");
        }
    }

    private void WriteApplicationProperties(IReadOnlyDictionary<string, object?> properties)
    {
        if (properties.Count == 0)
        {
            return;
        }

        var writer = new AmqpWriter(batch);
        writer.WriteDescriptor((ulong)SectionCode.ApplicationProperties);
        var map = writer.BeginMap();
        foreach ((var name, var value) in new Entries<string, object?>(properties))
        {
            Write(ref writer, name, value);
        }

        writer.EndMap(map, properties.Count);
        writer.Flush();
    }

    private static void Write(ref AmqpWriter writer, string name, object? value)
    {
        writer.WriteString(name);
        if (value is DateTimeOffset time)
        {
            writer.WriteTimestamp(AmqpTimestamp.From(time));
        }
        else
        {
            writer.WriteValue(value);
        }
    }
}
