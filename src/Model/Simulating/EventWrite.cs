namespace EventHubThroughput.Model.Simulating;

/// <summary>Writes one event to its sinks, in turn or at once. A handler's work comes before, unless the strategy has it go on beside the writes.</summary>
internal sealed class EventWrite
{
    private readonly StrategyParts parts;
    private readonly bool atOnce;

    // Where the loop itself works: until when.
    private double loopFree;

    public EventWrite(StrategyParts parts) => (this.parts, atOnce) = (parts, parts.Rule.SinksAtOnce);

    /// <summary>Begins.</summary>
    /// <param name="number">The event.</param>
    /// <param name="completed">Called when every sink has it and it has been noted as complete.</param>
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

    // Gives what is to be called when one of the others is done.
    private Action Write(int number, Action completed, int others)
    {
        var left = 2 + others;
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
            parts.Services.Message.Do(1, done);
            parts.Services.Blob.Do(1, done);
        }
        else
        {
            parts.Services.Message.Do(
                1,
                () =>
                {
                    done();
                    parts.Services.Blob.Do(1, done);
                }
            );
        }

        return done;
    }

    private double EndOfWork()
    {
        var begin = parts.Rule.WorksInTurn ? Math.Max(parts.Calendar.Now, loopFree) : parts.Calendar.Now;
        loopFree = parts.Services.Processors.EndOf(begin, parts.Settings.WorkMicroseconds / 1_000) + parts.Settings.BlockMilliseconds;
        return loopFree;
    }
}
