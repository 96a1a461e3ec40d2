namespace EventHubThroughput.Clients;

/// <summary>What one answer of a service proves about its clock.</summary>
/// <param name="Service">The service's time, whole seconds.</param>
/// <param name="Own">Our time when the answer came.</param>
/// <param name="AtLeast">How far the service's clock is ahead of ours, or behind if negative, at the least. Zero when both may agree.</param>
public readonly record struct ClockDifference(DateTimeOffset Service, DateTimeOffset Own, TimeSpan AtLeast)
{
    /// <summary>Compares the date of an answer with the time in which it was written.</summary>
    /// <param name="date">The answer's date: the service's time without the parts of a second.</param>
    /// <param name="sent">When the request was sent.</param>
    /// <param name="received">When the answer came.</param>
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
