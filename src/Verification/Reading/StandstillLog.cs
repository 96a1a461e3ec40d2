namespace EventHubThroughput.Verification.Reading;

/// <summary>
/// The periods in which the emulator was paused. Afterwards the bytes in its sockets were read, each request together with its repeat, because the writers
/// had given up requests that were then answered. All times are microseconds. Valid after the whole journal was read.
/// </summary>
internal sealed class StandstillLog
{
    private readonly List<(long From, long To)> standstills = [];

    /// <summary>Adds a pause that ends now.</summary>
    public void Add(long now, long length) => standstills.Add((now - length, now));

    /// <summary>Whether a request may have waited in a socket: it arrived during a pause, or in the second after.</summary>
    public bool HasHeld(long begun) => standstills.Exists(one => one.From <= begun && begun <= one.To + ConnectionTable.AnswerTimeout);

    /// <summary>Whether a writer may have given a request up because of a pause: its arrival or its answer was in that period.</summary>
    /// <param name="begun">When it arrived.</param>
    /// <param name="answered">When it was answered.</param>
    /// <param name="givenUp">When the writer's next action arrived.</param>
    public bool Explains(long begun, long answered, long givenUp) =>
        standstills.Exists(one => begun <= one.To + ConnectionTable.AnswerTimeout && answered >= one.From && givenUp >= one.From);
}
