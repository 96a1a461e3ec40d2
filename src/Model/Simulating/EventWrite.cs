namespace EventHubThroughput.Model.Simulating;

/// <summary>
/// Writes one event to its sinks, in turn or concurrently. The handler's work is before them, unless the strategy runs it concurrently with the writes.
/// </summary>
internal sealed class EventWrite
{
    private readonly StrategyParts parts;
    private readonly bool atOnce;

    // When the loop itself is free, if it does the work.
    private double loopFree;

    public EventWrite(StrategyParts parts) => (this.parts, atOnce) = (parts, parts.Rule.SinksConcurrently);

    /// <summary>Begins the writes of an event.</summary>
    /// <param name="number">The event.</param>
    /// <param name="completed">Called when every sink has it and it is recorded as complete.</param>
    public void Begin(int number, Action completed)
    {
        parts.Events.Begin(number);
        if (!parts.Settings.HasWork)
        {
            Write(number, completed, others: 0);
        }
        else if (parts.Rule.HasWorkAmongSinks)
        {
            parts.Calendar.At(EndOfWork(), Write(number, completed, others: 1));
        }
        else
        {
            parts.Calendar.At(EndOfWork(), () => Write(number, completed, others: 0));
        }
    }

    // Returns the callback for the completion of one of the others.
    private Action Write(int number, Action completed, int others)
    {
        var sinks = parts.Services.Sinks;
        var left = sinks.Count + others;
        Action done = () =>
        {
            if (--left == 0)
            {
                parts.Events.Complete(number);
                completed();
            }
        };
        if (atOnce)
        {
            foreach (var sink in sinks)
            {
                sink.Service.Do(1, done);
            }
        }
        else
        {
            WriteInTurn(0, done);
        }

        return done;
    }

    private void WriteInTurn(int place, Action done)
    {
        var sinks = parts.Services.Sinks;
        sinks[place]
            .Service.Do(
                1,
                () =>
                {
                    done();
                    if (place + 1 < sinks.Count)
                    {
                        WriteInTurn(place + 1, done);
                    }
                }
            );
    }

    private double EndOfWork()
    {
        var begin = parts.Rule.WorksInTurn ? Math.Max(parts.Calendar.Now, loopFree) : parts.Calendar.Now;
        loopFree = parts.Services.Processors.GetEnd(begin, parts.Settings.WorkMicroseconds / 1_000) + parts.Settings.BlockMilliseconds;
        return loopFree;
    }
}
