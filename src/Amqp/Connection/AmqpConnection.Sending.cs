using EventHubThroughput.Amqp.Framing;

namespace EventHubThroughput.Amqp;

// Outgoing frames: encoded under the lock, written by the output's loop or by the only sender.
public sealed partial class AmqpConnection
{
    /// <summary>Takes the lock for a caller that may be the only sender.</summary>
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

    /// <summary>Encodes a settlement, joined with the one before it if both have the same outcome. Under the lock.</summary>
    internal void SendDisposition(ushort channel, in DispositionHead disposition)
    {
        if (MaySend)
        {
            Output.WriteDisposition(channel, disposition);
        }
    }
}
