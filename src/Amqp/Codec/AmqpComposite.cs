using System.Buffers;

namespace EventHubThroughput.Amqp.Codec;

/// <summary>A composite type of the protocol: a described list whose places are its fields (AMQP 1.0 part 1, 1.4).</summary>
public abstract record AmqpComposite
{
    /// <summary>Writes the descriptor and every field in its shortest form, null where it is absent.</summary>
    public void Encode(IBufferWriter<byte> output)
    {
        var writer = new AmqpWriter(output);
        Encode(ref writer);
        writer.Flush();
    }

    internal abstract void Encode(ref AmqpWriter writer);
}
