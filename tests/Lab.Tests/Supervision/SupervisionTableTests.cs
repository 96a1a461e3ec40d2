using EventHubThroughput.Lab.Configuration;
using EventHubThroughput.Lab.Supervision;
using EventHubThroughput.Lab.Tests.Doubles;
using EventHubThroughput.Strategies;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Supervision;

public sealed class SupervisionTableTests
{
    private static readonly SupervisionPlan Plan = new()
    {
        Cycles = 4,
        Points = [KillPoint.BeforeFirstWrite, KillPoint.AfterCheckpointStored],
        Seed = 1,
        Strategies = StrategyCatalog.All,
        Options = Reports
            .Of("baseline")
            .Options.With(static processing =>
                processing with
                {
                    BatchSize = 10,
                    BalancingInterval = TimeSpan.FromSeconds(1),
                    OwnershipExpiry = TimeSpan.FromSeconds(3),
                }
            ),
    };

    [Fact]
    public void Sums_up_kills_verdicts_and_recoveries()
    {
        var counters = new SupervisionCounters("baseline") { Elapsed = TimeSpan.FromSeconds(6) };
        Count(counters, KillPoint.BeforeFirstWrite, ConsumerEnd.Killed, recovery: 0.25, asSameOwner: true);
        Count(counters, KillPoint.AfterCheckpointStored, ConsumerEnd.Killed, recovery: 4.5, asSameOwner: false);
        Count(counters, KillPoint.AfterCheckpointStored, code: 0, recovery: 0.5, asSameOwner: false);
        Count(counters, KillPoint.BeforeFirstWrite, code: 0, recovery: null, asSameOwner: true);
        counters.Repeat();
        counters.Repeat();
        counters.Add(Judged(lost: 1, duplicates: 7), replayBound: 20);
        counters.Add(Judged(lost: 0, duplicates: 5), replayBound: 10);
        using var output = new StringWriter();

        SupervisionTable.Write(Plan, [counters], columns: null, output);

        Assert.Equal(
            """
            | strategy | cycles | killed | events | lost | checkpoint ahead | duplicates | allowed | largest replay | s a cycle |
            |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
            | baseline | 4 | 2 | 200 | 1 | 0 | 12 | 30 | 9 | 1.50 |

            Cycles repeated because the consumer had ended earlier: 2.

            | killed | when | baseline |
            |---|---|--:|
            | K1 | a batch was read, none of its events has been written | 1 |
            | K9 | a checkpoint was stored, its answer was not yet processed | 1 |

            | first event after a restart, s | restarts | median | longest | bound | beyond |
            |---|--:|--:|--:|--:|--:|
            | by the same owner | 1 | 0.25 | 0.25 | 1.00 | 0 |
            | by a new owner | 2 | 4.50 | 4.50 | 4.00 | 1 |

            """,
            output.ToString()
        );
    }

    [Fact]
    public void Sums_up_the_hand_overs_of_owners_that_share()
    {
        var counters = new SupervisionCounters("baseline") { Elapsed = TimeSpan.FromSeconds(6) };
        Assert.True(counters.Count(ConsumerEnd.Killed, dies: true));
        Assert.False(counters.Count(4, dies: false));
        counters.Add(Judged(lost: 0, duplicates: 7), replayBound: 20);
        counters.Handovers.AddRange([
            Changed(Departure.Left, 1.25, 1.5),
            Changed(Departure.Left, 0.25, 0.5),
            Changed(Departure.Left, 0.5, null),
            Changed(Departure.Died, 4, 4.25),
            Changed(Departure.Robbed, 0, 0.125),
        ]);
        using var output = new StringWriter();

        SupervisionTable.Write(Plan with { Points = [], Owners = 2 }, [counters], columns: null, output);

        Assert.Equal(
            """
            | strategy | cycles | ended | events | lost | checkpoint ahead | duplicates | allowed | largest replay | s a cycle |
            |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
            | baseline | 2 | 1 | 100 | 0 | 0 | 7 | 20 | 9 | 3.00 |

            | hand-over, s | partitions | new owner: median | longest | bound | beyond | first event: median | longest |
            |---|--:|--:|--:|--:|--:|--:|--:|
            | released by a process that left | 3 | 0.50 | 1.25 | 1.02 | 1 | 1.50 | 1.50 |
            | left by a killed process | 1 | 4.00 | 4.00 | 4.02 | 0 | 4.25 | 4.25 |
            | taken by a process that joined | 1 | - | - | - | - | 0.13 | 0.13 |

            """,
            output.ToString()
        );
    }

    [Fact]
    public void Every_kill_point_fits_into_a_terminal_of_80_columns()
    {
        using var output = new StringWriter();

        SupervisionTable.Write(Plan with { Points = KillPoints.All }, [new SupervisionCounters("foreachasync")], columns: 80, output);

        var lines = output.ToString().ReplaceLineEndings("\n").Split('\n');
        Assert.All(lines, static line => Assert.InRange(line.Length, 0, 80));
        Assert.Equal("killed when                                                         foreachasync", lines[4]);
        Assert.Equal(KillPoints.All.Count, lines.Count(static line => line.StartsWith('K')));
        Assert.DoesNotContain('|', output.ToString());
    }

    [Fact]
    public void One_failure_decides_the_exit_code()
    {
        var (good, bad) = (new SupervisionCounters("baseline"), new SupervisionCounters("inloop"));
        Assert.Equal(0, Supervisor.GetCode([good, bad]));
        bad.Failures.Add("lost");
        Assert.Equal(3, Supervisor.GetCode([good, bad]));
    }

    private static Handover Changed(Departure departure, double claimed, double? first) =>
        new(departure, TimeSpan.FromSeconds(claimed), first is { } seconds ? TimeSpan.FromSeconds(seconds) : null);

    private static void Count(SupervisionCounters counters, KillPoint point, int code, double? recovery, bool asSameOwner)
    {
        var end = new ConsumerEnd(code, "", recovery is { } seconds ? TimeSpan.FromSeconds(seconds) : null);
        counters.Count(point, end);
        counters.Recovered(end, asSameOwner);
    }

    private static Verdict Judged(long lost, long duplicates) =>
        new()
        {
            Acknowledged = 100,
            Lost = lost,
            DuplicateServiceBus = duplicates,
            ReplayExact = 2 + duplicates,
            Charges = [],
            NotJudged = [],
        };
}
