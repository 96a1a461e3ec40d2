using System.Diagnostics;
using EventHubThroughput.Emulator.Durability;
using EventHubThroughput.Emulator.Entities;
using EventHubThroughput.Emulator.EventHubs;
using EventHubThroughput.Emulator.Storage;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Durability;

/// <summary>
/// Entries that an emulator never creates in its folder are refused before anything is read or written. A pipe has no end, and a link leads to
/// another file.
/// </summary>
public sealed class DataDirectoryTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("eht-data-").FullName;
    private readonly VirtualClock _clock = new();

    private string Data => Path.Combine(_folder, "data");

    public static TheoryData<string> Files =>
        ["lock", "format.json", "key", "ports.json", "certificate.key", "hubs/hub.log", "hubs/hub.name", "hubs/hub.log.new"];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [MemberData(nameof(Files))]
    public void A_link_in_it_is_refused_and_not_followed(string name)
    {
        Make();
        var foreign = Path.Combine(_folder, "foreign");
        File.Delete(GetPath(name));
        File.CreateSymbolicLink(GetPath(name), foreign);

        Assert.Equal($"DataPath {Data}: {name} is a link, allowed are files and folders that an emulator made", Refused());
        Assert.False(File.Exists(foreign));
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void A_pipe_in_it_is_refused_and_not_waited_for(string name)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the kind of a file is asked for on Linux");
        Make();
        File.Delete(GetPath(name));
        using (var made = Process.Start("mkfifo", [GetPath(name)]))
        {
            made.WaitForExit();
        }

        Assert.Equal($"DataPath {Data}: {name} is a pipe, allowed are files and folders that an emulator made", Refused());
    }

    [Theory]
    [InlineData("hubs")]
    [InlineData("queues")]
    public void A_folder_in_it_that_is_a_link_is_refused(string name)
    {
        Make();
        var elsewhere = Directory.CreateDirectory(Path.Combine(_folder, "elsewhere")).FullName;
        if (Directory.Exists(GetPath(name)))
        {
            Directory.Delete(GetPath(name), recursive: true);
        }

        Directory.CreateSymbolicLink(GetPath(name), elsewhere);

        Assert.Equal($"DataPath {Data}: {name} is a link, allowed are files and folders that an emulator made", Refused());
    }

    [Theory]
    [InlineData("key")]
    [InlineData("format.json")]
    [InlineData("hubs/hub.log")]
    public void A_folder_in_the_place_of_a_file_is_refused(string name)
    {
        Make();
        File.Delete(GetPath(name));
        Directory.CreateDirectory(GetPath(name));

        Assert.Equal($"DataPath {Data}: {name} is a folder, allowed are files and folders that an emulator made", Refused());
    }

    [Theory]
    [InlineData("%2e%2e%2f%2e%2e%2foutside.log")]
    [InlineData("Hub.log")]
    [InlineData("a b.log")]
    public void A_log_whose_name_no_emulator_gives_is_refused(string name)
    {
        Make();
        File.Copy(GetPath("hubs/hub.log"), GetPath($"hubs/{name}"));
        using var data = DataDirectory.Open(Data, SyncPolicy.Never, _clock);

        var refused = Assert.Throws<EmulatorException>(() => data.GetNames("hubs"));

        Assert.Equal(
            (EmulatorErrorKind.InconsistentData, $"{GetPath($"hubs/{name}")}: not named as an emulator names the log of an entity"),
            (refused.Kind, refused.Message)
        );
    }

    [Theory]
    [InlineData("two.log")]
    [InlineData("...log")]
    public void A_copy_of_a_log_under_another_name_is_refused(string name)
    {
        using (var data = DataDirectory.Open(Data, SyncPolicy.Never, _clock))
        using (var hubs = new EventHubRegistry(new MemoryBudget(1 << 30), _clock, data))
        {
            Assert.Equal(CreateVerdict.Created, hubs.Create(new HubSettings("one")));
        }

        File.Copy(GetPath("hubs/one.log"), GetPath($"hubs/{name}"));
        using var copied = DataDirectory.Open(Data, SyncPolicy.Never, _clock);

        var refused = Assert.Throws<EmulatorException>(() => new EventHubRegistry(new MemoryBudget(1 << 30), _clock, copied));

        Assert.Equal(
            (EmulatorErrorKind.InconsistentData, $"{GetPath($"hubs/{name}")}: describes 'one' under the name of another entity"),
            (refused.Kind, refused.Message)
        );
    }

    [Fact]
    public void A_name_beside_a_log_has_a_limit()
    {
        Make();
        File.WriteAllText(GetPath("hubs/hub.name"), new string('x', 100_000));
        using var data = DataDirectory.Open(Data, SyncPolicy.Never, _clock);

        var refused = Assert.Throws<EmulatorException>(() => data.GetNames("hubs"));

        Assert.Equal($"{GetPath("hubs/hub.name")}: larger than 4096 bytes", Assert.Single(refused.Problems));
    }

    [Theory]
    [InlineData("hub%2F0%2Fx.log")]
    [InlineData("hub%2F0%2F-1.log")]
    [InlineData("hub%2F0%2F99999999999999999999.log")]
    public void A_segment_whose_name_has_no_number_is_refused(string name)
    {
        Make();
        Directory.CreateDirectory(GetPath(PartitionFiles.Kind));
        File.WriteAllBytes(GetPath($"{PartitionFiles.Kind}/{name}"), []);
        using var data = DataDirectory.Open(Data, SyncPolicy.Never, _clock);

        var refused = Assert.Throws<EmulatorException>(() => PartitionFiles.Find(data));

        Assert.Equal(
            (
                EmulatorErrorKind.InconsistentData,
                $"{GetPath(PartitionFiles.Kind)}: a segment is named '{Uri.UnescapeDataString(name[..^4]).ToLowerInvariant()}', without the number of its first event"
            ),
            (refused.Kind, refused.Message)
        );
    }

    private string GetPath(string name) => Path.Combine(Data, name);

    private void Make()
    {
        using var data = DataDirectory.Open(Data, SyncPolicy.Never, _clock);
        data.OpenLog("hubs", "hub", static _ => { }).Dispose();
    }

    private string Refused()
    {
        var refused = Assert.Throws<EmulatorException>(() => DataDirectory.Open(Data, SyncPolicy.Never, _clock));
        Assert.Equal(EmulatorErrorKind.InvalidInput, refused.Kind);
        return refused.Message;
    }
}
