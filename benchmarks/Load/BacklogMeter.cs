namespace EventHubThroughput.Load;

/// <summary>Measures how a backlog is consumed, from the end of a warm-up to its last event. It can be used from several threads.</summary>
/// <param name="backlog">Events of the backlog.</param>
/// <param name="warmUp">The number of events that are not measured, because code is still compiled and buffers grow.</param>
/// <param name="done">Called when all events have been counted.</param>
/// <param name="clock">The clock.</param>
/// <param name="spent">Reads the resources that emulator and clients have used.</param>
internal sealed class BacklogMeter(int backlog, int warmUp, Action done, TimeProvider clock, Func<Spent> spent)
{
    private readonly Lock _gate = new();

    // Guarded by the gate.
    private long _start;
    private long _first;
    private long _count;
    private Spent _before;

    public Measured Measured { get; private set; }

    /// <summary>Counts events that are complete.</summary>
    public void Add(int events)
    {
        lock (_gate)
        {
            _count += events;
            if (_first == 0 && _count >= warmUp)
            {
                (_start, _first, _before) = (clock.GetTimestamp(), _count, spent());
            }
            else if (_count >= backlog && Measured == default)
            {
                Measured = new Measured(_count - _first, clock.GetElapsedTime(_start), spent() - _before);
                done();
            }
        }
    }
}
