namespace EventHubThroughput.Verification.Reading;

/// <summary>
/// The times in which the emulator stood still. What lay in its sockets was read afterwards, each request and its repeat at once, so that their writers
/// had given up what was answered in time. All times are microseconds. Complete when the whole journal was read.
/// </summary>
internal sealed class StandstillLog
{
    private readonly List<(long From, long To)> standstills = [];

    /// <summary>Adds one, which ends now.</summary>
    public void Add(long now, long length) => standstills.Add((now - length, now));

    /// <summary>Whether a request came out of a socket in which it may have lain: while the emulator stood still, or in the second after.</summary>
    public bool HasHeld(long begun) => standstills.Exists(one => one.From <= begun && begun <= one.To + ConnectionTable.Patience);

    /// <summary>Whether a writer may have given a request up because the emulator stood still: its arrival or its answer falls into that time.</summary>
    /// <param name="begun">When it arrived.</param>
    /// <param name="answered">When it was answered.</param>
    /// <param name="givenUp">When what its writer did instead arrived.</param>
    public bool Explains(long begun, long answered, long givenUp) =>
        standstills.Exists(one => begun <= one.To + ConnectionTable.Patience && answered >= one.From && givenUp >= one.From);
}
