namespace EventHubThroughput.Amqp;

/// <summary>What a link can send without a wait, unless other links of its connection take the room meanwhile.</summary>
/// <param name="Messages">By the link's credit and the session's limit of unsettled deliveries.</param>
/// <param name="Frames">By the session's window.</param>
/// <param name="Bytes">Until the write queue is full.</param>
/// <param name="FrameBytes">What one frame carries.</param>
public readonly record struct SendCapacity(long Messages, long Frames, long Bytes, int FrameBytes)
{
    /// <summary>The room that is left after one more message, or null when it would have to wait.</summary>
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
