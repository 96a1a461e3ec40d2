namespace EventHubThroughput.Amqp;

/// <summary>What a link can send without waiting, unless other links of its connection use the room in the meantime.</summary>
/// <param name="Messages">The number by the link's credit and the session's limit of unsettled deliveries.</param>
/// <param name="Frames">The number by the session's window.</param>
/// <param name="Bytes">The number until the write queue is full.</param>
/// <param name="FrameBytes">The bytes that one frame carries.</param>
public readonly record struct SendCapacity(long Messages, long Frames, long Bytes, int FrameBytes)
{
    /// <summary>The room that is left after another message, or null when that message would need to wait.</summary>
    public SendCapacity? After(int bytes)
    {
        if (Messages == 0 || bytes > Bytes)
        {
            return null;
        }

        var frames = 1 + (bytes / FrameBytes);
        return frames > Frames ? null : this with { Messages = Messages - 1, Frames = Frames - frames, Bytes = Bytes - bytes };
    }
}
