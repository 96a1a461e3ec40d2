using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.EventHubs;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.EventHubs;

/// <summary>Hubs whose files were cut short, are in the way, or cannot be written: what was acknowledged stays, and damage is named.</summary>
public sealed class DamagedHubTests : DurableHubs
{
    [Fact]
    public void A_record_torn_by_the_end_of_the_process_is_cut_off_and_all_before_it_is_kept()
    {
        With(hubs =>
        {
            hubs.Create(new HubSettings("hub") { Partitions = 1 });
            Append(hubs.Find("hub")!, 0, "a");
            Append(hubs.Find("hub")!, 0, "b", "c");
        });
        var segment = Assert.Single(Segments());
        using (var file = File.OpenWrite(segment))
        {
            file.SetLength(file.Length - 3);
        }

        With(hubs =>
        {
            Assert.Equal(["a"], Read(hubs.Find("hub")!, 0));
            Append(hubs.Find("hub")!, 0, "d");
        });
        With(hubs => Assert.Equal(["a", "d"], Read(hubs.Find("hub")!, 0)));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(40)]
    public void A_hub_that_has_events_is_not_taken_for_one_that_was_never_made(int cut)
    {
        With(hubs =>
        {
            hubs.Create(new HubSettings("Hub") { Partitions = 1 });
            Append(hubs.Find("hub")!, 0, "a");
        });
        var description = Path.Combine(Folder, "hubs", "hub.log");
        var whole = File.ReadAllBytes(description);
        File.WriteAllBytes(description, whole[..^cut]);

        var failure = Assert.Throws<EmulatorException>(() => With(static _ => { }));
        Assert.Equal(
            (EmulatorErrorKind.InconsistentData, $"{description}: record 1 at byte 8: the hub's description is damaged, and its events exist"),
            (failure.Kind, failure.Message)
        );
        Assert.Equal(whole.Length - cut, new FileInfo(description).Length);
        File.WriteAllBytes(description, whole);
        With(hubs => Assert.Equal(["a"], Read(hubs.Find("hub")!, 0)));
    }

    [Fact]
    public void A_record_that_is_unfinished_before_others_is_damage()
    {
        var settings = new HubSettings("hub") { Partitions = 1, RetentionBytes = 400_000 };
        With(hubs =>
        {
            hubs.Create(settings);
            for (var i = 0; i < 3; i++)
            {
                Append(hubs.Find("hub")!, 0, new string('x', 150_000));
            }
        });
        var segment = Segments().Order(StringComparer.Ordinal).First();
        using (var file = File.OpenWrite(segment))
        {
            file.SetLength(file.Length - 1);
        }

        var length = new FileInfo(segment).Length;
        var failure = Assert.Throws<EmulatorException>(() => With(static _ => { }));
        Assert.EndsWith("it is incomplete, and others follow in the next file", failure.Message, StringComparison.Ordinal);
        Assert.Equal((EmulatorErrorKind.InconsistentData, length), (failure.Kind, new FileInfo(segment).Length));
    }

    [Fact]
    public void A_hub_whose_files_cannot_be_removed_is_gone_all_the_same_and_its_events_do_not_come_back()
    {
        var settings = new HubSettings("hub") { Partitions = 2 };
        With(hubs =>
        {
            hubs.Create(settings);
            var hub = hubs.Find("hub")!;
            Append(hub, 0, "a");
            Append(hub, 1, "b");

            // A folder where a segment should be cannot be removed as a file.
            var segment = Segments().Order(StringComparer.Ordinal).First();
            File.Move(segment, segment + ".aside");
            Directory.CreateDirectory(segment);
            Assert.Throws<IOException>(() => hubs.Delete("hub"));
            Assert.True(hub.Deleted.IsCancellationRequested);
            Assert.All(hub.Partitions, static partition => Assert.Equal(AppendVerdict.Deleted, partition.TryAppend([Encoded.Event("late")], null)));
            Assert.Null(hubs.Find("hub"));

            // Removable again, with the old events in it: a new hub of the name does not take them for its own.
            Directory.Delete(segment);
            File.Move(segment + ".aside", segment);
            hubs.Create(settings);
            Append(hubs.Find("hub")!, 0, "c");
        });
        With(hubs =>
        {
            Assert.Equal(["c"], Read(hubs.Find("hub")!, 0));
            Assert.Empty(Read(hubs.Find("hub")!, 1));
        });
    }

    [Fact]
    public void A_new_segment_that_holds_events_is_refused()
    {
        var settings = new HubSettings("hub") { Partitions = 1 };
        With(hubs =>
        {
            hubs.Create(settings);
            Append(hubs.Find("hub")!, 0, "a");
            File.Copy(Assert.Single(Segments()), Path.Combine(Folder, "aside"));
            hubs.Delete("hub");
            File.Move(Path.Combine(Folder, "aside"), Path.Combine(Folder, PartitionFiles.Kind, Uri.EscapeDataString($"hub/0/{0:D20}") + ".log"));
            hubs.Create(settings);
            Assert.Throws<IOException>(() => Append(hubs.Find("hub")!, 0, "b"));
        });
    }

    [Fact]
    public void The_rest_of_an_interrupted_deletion_is_removed_at_the_next_start()
    {
        With(hubs =>
        {
            hubs.Create(new HubSettings("hub") { Partitions = 1 });
            Append(hubs.Find("hub")!, 0, "a");
        });
        File.Delete(Assert.Single(Directory.GetFiles(Path.Combine(Folder, HubRecord.Kind))));
        With(static hubs => Assert.Empty(hubs.All));
        Assert.Empty(Segments());
    }

    [Fact]
    public void An_append_that_the_journal_refuses_is_not_there_after_a_restart_either()
    {
        With(hubs =>
        {
            hubs.Create(new HubSettings("hub") { Partitions = 1 });
            var log = hubs.Find("hub")!.Partitions[0];
            Assert.Throws<IOException>(() => log.TryAppend([Encoded.Event("a")], static _ => throw new IOException("disk full")));
            Append(hubs.Find("hub")!, 0, "b");
        });
        With(hubs => Assert.Equal(["b"], Read(hubs.Find("hub")!, 0)));
    }

    [Fact]
    public void An_append_that_finds_no_place_is_refused_leaves_nothing_and_can_be_tried_again()
    {
        With(hubs =>
        {
            hubs.Create(new HubSettings("hub") { Partitions = 1 });
            var log = hubs.Find("hub")!.Partitions[0];

            // A file where the segments' folder should be.
            var folder = Path.Combine(Folder, PartitionFiles.Kind);
            File.WriteAllText(folder, string.Empty);
            Assert.Throws<IOException>(() => log.TryAppend([Encoded.Event("a")], null));
            Assert.True(log.State.IsEmpty);
            File.Delete(folder);
            Append(hubs.Find("hub")!, 0, "b");
            Assert.Equal(["b"], Read(hubs.Find("hub")!, 0));
        });
        With(hubs => Assert.Equal(["b"], Read(hubs.Find("hub")!, 0)));
    }
}
