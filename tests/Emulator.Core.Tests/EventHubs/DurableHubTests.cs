using System.Globalization;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.EventHubs;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.EventHubs;

/// <summary>Hubs with a data directory: what was acknowledged is there after any end, and nothing else.</summary>
public sealed class DurableHubTests : DurableHubs
{
    [Fact]
    public void A_hub_comes_back_with_its_settings_groups_and_events()
    {
        var settings = new HubSettings("Hub")
        {
            Partitions = 2,
            RetentionTime = TimeSpan.FromDays(1),
            RetentionBytes = 1_000_000,
            ConsumerGroups = ["one"],
        };
        var before = With(hubs =>
        {
            Assert.Equal(CreateVerdict.Created, hubs.Create(settings));
            var hub = hubs.Find("hub")!;
            Append(hub, 1, "a", "b");
            Append(hub, 1, "c");
            Assert.True(hub.CreateGroup("two") == CreateVerdict.Created);
            Assert.Equal(CreateVerdict.Exists, hub.CreateGroup("TWO"));
            return hub.CreatedAt;
        });
        Clock.Advance(TimeSpan.FromHours(1));
        With(hubs =>
        {
            var hub = Assert.Single(hubs.All);
            Assert.Equal(("Hub", before), (hub.Name, hub.CreatedAt));
            Assert.Equal(["$Default", "one", "two"], hub.Settings.ConsumerGroups);
            Assert.Equal(["a", "b", "c"], Read(hub, 1));
            Assert.Equal(CreateVerdict.Exists, hubs.Create(settings));
            Assert.Equal(CreateVerdict.Differs, hubs.Create(settings with { Partitions = 3 }));
            Append(hub, 1, "d");
            Assert.Equal(3, hub.Partitions[1].State.LastSequence);
        });
    }

    [Fact]
    public void Consumer_groups_come_back_with_their_metadata_and_deleted_ones_do_not()
    {
        With(hubs =>
        {
            Assert.Equal(CreateVerdict.Created, hubs.Create(new HubSettings("hub") { ConsumerGroups = ["first"] }));
            var hub = hubs.Find("hub")!;
            Clock.Advance(TimeSpan.FromMinutes(1));
            Assert.Equal(CreateVerdict.Created, hub.CreateGroup("kept", "of a user"));
            Assert.Equal(CreateVerdict.Created, hub.CreateGroup("deleted"));
            Assert.True(hub.ChangeGroup("FIRST", "changed"));
            Assert.True(hub.DeleteGroup("Deleted"));
            Assert.False(hub.DeleteGroup("deleted"));
            Assert.False(hub.ChangeGroup("deleted", "x"));
        });
        With(hubs =>
        {
            var hub = Assert.Single(hubs.All);
            Assert.Equal(
                [("$Default", null, false), ("first", "changed", true), ("kept", "of a user", false)],
                hub.Groups.Select(static group => group.Settings).Select(static group => (group.Name, group.UserMetadata, group.ChangedAt > group.CreatedAt))
            );
            Assert.Equal(TimeSpan.FromMinutes(1), hub.FindGroup("kept")!.Settings.CreatedAt - hub.CreatedAt);
        });
    }

    [Fact]
    public void Every_appended_event_is_there_once_and_in_order_after_any_number_of_restarts()
    {
        // Positive: append this number. Otherwise: start again.
        var property = Prop.ForAll(
            ArbMap.Default.ArbFor<int[]>(),
            steps =>
            {
                var name = $"hub{Guid.NewGuid():N}";
                var model = new List<string>();
                var next = 0;
                foreach (
                    var run in steps.Aggregate(
                        new List<List<int>> { new() },
                        static (runs, step) =>
                        {
                            if (step > 0)
                            {
                                runs[^1].Add(step);
                            }
                            else
                            {
                                runs.Add([]);
                            }

                            return runs;
                        }
                    )
                )
                {
                    With(hubs =>
                    {
                        hubs.Create(new HubSettings(name) { Partitions = 1 });
                        var hub = hubs.Find(name)!;
                        Assert.Equal(model, Read(hub, 0));
                        foreach (var count in run)
                        {
                            var bodies = Enumerable.Range(0, Math.Min(count, 20)).Select(_ => $"event {next++}").ToArray();
                            Append(hub, 0, bodies);
                            model.AddRange(bodies);
                        }
                    });
                }
            }
        );
        Check.One(PropertyCases.Times(0.03), property);
    }

    [Fact]
    public void Sequence_numbers_and_times_continue_after_a_restart_when_all_events_have_expired()
    {
        var settings = new HubSettings("hub") { Partitions = 1, RetentionTime = TimeSpan.FromMinutes(1) };
        var last = With(hubs =>
        {
            hubs.Create(settings);
            Append(hubs.Find("hub")!, 0, "a", "b", "c");
            return hubs.Find("hub")!.Partitions[0].State.LastEnqueuedMilliseconds;
        });
        Clock.Advance(TimeSpan.FromHours(1));
        With(hubs =>
        {
            var state = hubs.Find("hub")!.Partitions[0].State;
            Assert.Equal((3L, 2L, true, last), (state.FirstSequence, state.LastSequence, state.IsEmpty, state.LastEnqueuedMilliseconds));
        });
        With(
            hubs =>
            {
                Append(hubs.Find("hub")!, 0, "d");
                Assert.Equal(last, hubs.Find("hub")!.Partitions[0].State.LastEnqueuedMilliseconds);
            },
            new VirtualClock(DateTimeOffset.UnixEpoch.AddDays(1))
        );
    }

    [Fact]
    public void Segments_go_with_their_events_and_a_restart_begins_where_it_should()
    {
        var settings = new HubSettings("hub") { Partitions = 1, RetentionBytes = 400_000 };
        var state = With(hubs =>
        {
            hubs.Create(settings);
            for (var i = 0; i < 1_000; i++)
            {
                Append(hubs.Find("hub")!, 0, $"{i} {new string('x', 5_000)}");
            }

            return hubs.Find("hub")!.Partitions[0].State;
        });
        Assert.InRange(Segments().Sum(static file => new FileInfo(file).Length), 390_000, 700_000);
        With(hubs =>
        {
            Assert.Equal(state, hubs.Find("hub")!.Partitions[0].State);
            Assert.StartsWith(state.FirstSequence.ToString(CultureInfo.InvariantCulture), Read(hubs.Find("hub")!, 0)[0], StringComparison.Ordinal);
        });
    }

    [Fact]
    public void A_deleted_hub_leaves_no_data_and_a_new_one_of_its_name_begins_empty()
    {
        var settings = new HubSettings("hub") { Partitions = 2 };
        var budget = new MemoryBudget(1 << 30);
        With(
            hubs =>
            {
                hubs.Create(settings);
                var hub = hubs.Find("hub")!;
                Append(hub, 0, "a");
                Assert.True(hubs.Delete("HUB"));
                Assert.False(hubs.Delete("hub"));
                Assert.True(hub.Deleted.IsCancellationRequested);
                Assert.Equal(AppendVerdict.Deleted, hub.Partitions[0].TryAppend([Encoded.Event("late")], null));
                Assert.Equal(0, budget.UsedBytes);
                hubs.Create(settings);
                Append(hubs.Find("hub")!, 0, "b");
            },
            budget: budget
        );
        With(hubs => Assert.Equal(["b"], Read(hubs.Find("hub")!, 0)));
    }

    [Theory]
    [InlineData(60)]
    [InlineData(128)]
    [InlineData(251)]
    [InlineData(256)]
    public void Names_of_any_length_are_kept_and_distinguished(int length)
    {
        string[] names = [new string('N', length - 1) + "a", new string('N', length - 1) + "b"];
        With(hubs =>
        {
            foreach (var name in names)
            {
                Assert.Equal(CreateVerdict.Created, hubs.Create(new HubSettings(name) { Partitions = 2 }));
                Append(hubs.Find(name)!, 1, name);
            }
        });
        With(hubs =>
        {
            Assert.Equal(names, hubs.All.Select(static hub => hub.Name).Order());
            Assert.All(names, name => Assert.Equal([name], Read(hubs.Find(name)!, 1)));
            Assert.All(names, name => Assert.True(hubs.Delete(name)));
        });
        With(hubs => Assert.Empty(hubs.All));
        Assert.Empty(Segments());
    }

    [Fact]
    public void Hubs_have_a_limit_and_are_made_on_demand()
    {
        using var hubs = new EventHubRegistry(new MemoryBudget(1 << 20), Clock, null, 2)
        {
            OnDemand = static name => name == "no" ? null : new HubSettings(name),
        };
        Assert.Null(hubs.Find("no"));
        Assert.Same(hubs.Find("one"), hubs.Find("ONE"));
        Assert.NotNull(hubs.Find("two"));
        Assert.Null(hubs.Find("three"));
        Assert.Equal(CreateVerdict.TooMany, hubs.Create(new HubSettings("four")));
    }
}
