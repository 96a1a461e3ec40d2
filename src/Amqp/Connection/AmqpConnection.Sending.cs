using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

// Frames on their way out: encoded under the lock, written by the output's loop or by whoever sends one alone.
public sealed partial class AmqpConnection
{
    /// <summary>Takes the lock for whoever may send something alone.</summary>
    internal WritingScope EnterWriting() => new(Gate, Output);

    /// <summary>Encodes a frame. Under the lock.</summary>
    internal void Send(ushort channel, Performative performative)
    {
        if (_over || (_closeSent && performative is not Close))
        {
            return;
        }

        FrameWriter.Write(Output.Buffer, channel, performative, Output.MaxFrameSize);
        Output.Commit();
    }

    /// <summary>Encodes a flow. Under the lock.</summary>
    internal void SendFlow(ushort channel, in FlowHead flow)
    {
        if (MaySend)
        {
            FrameWriter.WriteFlow(Output.Buffer, channel, flow, Output.MaxFrameSize);
            Output.Commit();
        }
    }

    /// <summary>Encodes a settlement, joined with the one before it where that says the same. Under the lock.</summary>
    internal void SendDisposition(ushort channel, in DispositionHead disposition)
    {
        if (MaySend)
        {
            Output.WriteDisposition(channel, disposition);
        }
    }
}
