namespace EventHubThroughput.Clients;

/// <summary>The difference of a service's clock that one answer proves.</summary>
/// <param name="Service">The service's time, whole seconds.</param>
/// <param name="Own">Our time when the answer arrived.</param>
/// <param name="AtLeast">
/// The least difference by which the service's clock is ahead of ours. It is negative when our clock is ahead, and zero when both may agree.
/// </param>
public readonly record struct ClockDifference(DateTimeOffset Service, DateTimeOffset Own, TimeSpan AtLeast)
{
    /// <summary>Compares the date of an answer with the time between request and answer.</summary>
    /// <param name="date">The answer's date: the service's time in whole seconds.</param>
    /// <param name="sent">When the request was sent.</param>
    /// <param name="received">When the answer arrived.</param>
    public static ClockDifference Of(DateTimeOffset date, DateTimeOffset sent, DateTimeOffset received)
    {
        var ahead = date - received;
        var behind = sent - (date + TimeSpan.FromSeconds(1));
        return new ClockDifference(
            date,
            received,
            ahead > TimeSpan.Zero ? ahead
                : behind > TimeSpan.Zero ? -behind
                : TimeSpan.Zero
        );
    }
}
