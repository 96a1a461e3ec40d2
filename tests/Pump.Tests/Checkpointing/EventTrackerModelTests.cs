using EventHubThroughput.Pump.Tests.Doubles;
using EventHubThroughput.Pump.Tracking;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Pump.Tests.Checkpointing;

/// <summary>Any order of completions, any gaps, any batches: the watermark is the longest complete prefix of a naive model.</summary>
public sealed class EventTrackerModelTests
{
    [Fact]
    public void Is_the_longest_complete_prefix_of_a_naive_model_after_every_step()
    {
        var histories =
            from sinks in Gen.Choose(1, 3)
            from gaps in Gen.Choose(1, 4).ListOf()
            from steps in Gen.Choose(0, int.MaxValue).ArrayOf(gaps.Count * (sinks + 2))
            select new History(sinks, [.. gaps], steps);

        Check.One(PropertyCases.Usual, Prop.ForAll(Arb.From(histories), history => Run(history)));
    }

    private static bool Run(History history)
    {
        var watermark = new EventTracker(history.Sinks, TimeProvider.System);
        var model = new Model(history.Sinks);
        var registered = 0;
        var next = 0L;
        var delivered = new List<long>();
        foreach (var step in history.Steps)
        {
            // A third of the steps deliver a batch, the others acknowledge, fail or cut something delivered.
            if (step % 3 == 0 && registered < history.Gaps.Length)
            {
                var size = Math.Min(1 + (step / 3 % 7), history.Gaps.Length - registered);
                var batch = new List<long>();
                for (var i = 0; i < size; i++)
                {
                    next += history.Gaps[registered++];
                    batch.Add(next);
                }

                delivered.AddRange(batch);
                model.Deliver(batch);
                Assert.True(watermark.TryHandOver([.. batch.Select(sequence => Some.Event(sequence))], out _));
            }
            else if (delivered.Count > 0)
            {
                var sequence = delivered[step / 3 % delivered.Count];
                var sink = step / 7 % history.Sinks;
                switch (step % 11)
                {
                    case 0:
                        watermark.Abandon(sequence, EventState.Failed);
                        break;
                    case 1:
                        watermark.Abandon(sequence, EventState.Cancelled);
                        break;
                    default:
                        watermark.Acknowledge(sequence, sink);
                        model.Acknowledge(sequence, sink);
                        break;
                }
            }

            if (watermark.Read()?.Position.SequenceNumber != model.Prefix || watermark.Unfinished().First != model.FirstIncomplete)
            {
                return false;
            }
        }

        return true;
    }

    internal sealed record History(int Sinks, int[] Gaps, int[] Steps);

    private sealed class Model(int sinks)
    {
        private readonly List<(long Sequence, HashSet<int> Acknowledged)> events = [];

        public long? Prefix
        {
            get
            {
                var done = events.TakeWhile(entry => entry.Acknowledged.Count == sinks).ToList();
                return done.Count == 0 ? null : done[^1].Sequence;
            }
        }

        public long FirstIncomplete => events.Where(entry => entry.Acknowledged.Count < sinks).Select(entry => entry.Sequence).FirstOrDefault(-1);

        public void Deliver(IEnumerable<long> sequences) => events.AddRange(sequences.Select(sequence => (sequence, new HashSet<int>())));

        public void Acknowledge(long sequence, int sink) => events.Single(entry => entry.Sequence == sequence).Acknowledged.Add(sink);
    }
}
