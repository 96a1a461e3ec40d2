using System.Globalization;
using EventHubThroughput.Journal.Files;
using Xunit;

namespace EventHubThroughput.Journal.Tests.Files;

// Every program that makes such a folder removes abandoned ones, those of these tests too. So these have a separate place, which is a setting of the
// whole process.
[CollectionDefinition(nameof(TemporaryFolderTests), DisableParallelization = true)]
[Collection(nameof(TemporaryFolderTests))]
public sealed class TemporaryFolderTests : IDisposable
{
    private const string Gone = "1 1 00000000-0000-0000-0000-000000000000";

    private static readonly string Variable = OperatingSystem.IsWindows() ? "TMP" : "TMPDIR";

    private readonly string? before = Environment.GetEnvironmentVariable(Variable);
    private readonly DirectoryInfo place = Directory.CreateTempSubdirectory("place-");

    public TemporaryFolderTests() => Environment.SetEnvironmentVariable(Variable, place.FullName);

    public void Dispose()
    {
        Environment.SetEnvironmentVariable(Variable, before);
        place.Delete(recursive: true);
    }

    [Fact]
    public void Lives_until_it_is_disposed_of_and_is_its_users_only()
    {
        string path;
        using (var folder = TemporaryFolder.Create("test"))
        {
            path = folder.Path;
            File.WriteAllText(Path.Combine(path, "file"), "content");
            if (!OperatingSystem.IsWindows())
            {
                Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, File.GetUnixFileMode(path));
            }
        }

        Assert.False(Directory.Exists(path));
    }

    [Fact]
    public void Folder_of_an_ended_process_is_removed_by_the_next()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "boots are numbered on Linux");
        var abandoned = Lay($"eht-folder 1\n{Gone}\n");

        using var next = TemporaryFolder.Create("test");

        Assert.False(Directory.Exists(abandoned));
        Assert.True(Directory.Exists(next.Path));
    }

    [Fact]
    public void Empty_folder_of_a_process_killed_early_is_removed()
    {
        var empty = Directory.CreateTempSubdirectory("eht-verify-").FullName;
        var other = Directory.CreateTempSubdirectory("eht-verify-").FullName;
        File.WriteAllText(Path.Combine(other, "file"), "content");
        try
        {
            TemporaryFolder.Create("test").Dispose();

            Assert.False(Directory.Exists(empty));
            Assert.True(Directory.Exists(other));
        }
        finally
        {
            Directory.Delete(other, recursive: true);
        }
    }

    [Fact]
    public async Task Folder_is_removed_while_children_of_the_killed_process_still_write_into_it()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "boots are numbered on Linux");
        var abandoned = Lay($"eht-folder 1\n{Gone}\n");
        Directory.CreateDirectory(Path.Combine(abandoned, "inner"));
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var writing = Task.Run(
            () =>
            {
                try
                {
                    for (var number = 0; ; number++)
                    {
                        File.WriteAllText(Path.Combine(abandoned, number.ToString(CultureInfo.InvariantCulture)), "content");
                        begun.TrySetResult();
                    }
                }
                catch (DirectoryNotFoundException)
                {
                    // It is gone.
                }
            },
            TestContext.Current.CancellationToken
        );
        await begun.Task;

        TemporaryFolder.Create("test").Dispose();

        Assert.Empty(Directory.GetDirectories(Path.GetTempPath(), $"{Path.GetFileName(abandoned)}*"));
        await writing;
    }

    [Fact]
    public void While_its_process_lives_it_stays()
    {
        using var first = TemporaryFolder.Create("test");
        using var second = TemporaryFolder.Create("test");

        Assert.True(Directory.Exists(first.Path));
        Assert.NotEqual(first.Path, second.Path);
    }

    [Fact]
    public void Without_the_lock_the_process_itself_is_asked()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the form is Linux's");
        var stays = Lay($"eht-folder 1\n{ProcessStamp.Own}\n");
        try
        {
            TemporaryFolder.Create("test").Dispose();

            Assert.True(Directory.Exists(stays));
        }
        finally
        {
            Directory.Delete(stays, recursive: true);
        }
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("eht-folder 2\n" + Gone + "\n")]
    [InlineData("eht-folder 1\nno process\n")]
    [InlineData("eht-folder 1\n" + Gone + "\nmore")]
    public void A_folder_that_is_not_certainly_an_abandoned_one_stays(string? owner)
    {
        var stays = Lay(owner);
        try
        {
            TemporaryFolder.Create("test").Dispose();

            Assert.True(Directory.Exists(stays));
        }
        finally
        {
            Directory.Delete(stays, recursive: true);
        }
    }

    [Fact]
    public void A_link_to_such_a_folder_is_not_followed()
    {
        var elsewhere = Directory.CreateTempSubdirectory("elsewhere-").FullName;
        File.WriteAllText(Path.Combine(elsewhere, "owner"), $"eht-folder 1\n{Gone}\n");
        var link = Path.Combine(Path.GetTempPath(), $"eht-{Guid.NewGuid():n}");
        Directory.CreateSymbolicLink(link, elsewhere);
        try
        {
            TemporaryFolder.Create("test").Dispose();

            Assert.True(Directory.Exists(elsewhere));
        }
        finally
        {
            Directory.Delete(link);
            Directory.Delete(elsewhere, recursive: true);
        }
    }

    [Fact]
    public void A_process_is_known_by_its_number_and_its_start()
    {
        Assert.True(ProcessStamp.IsRunning(ProcessStamp.Own));
        Assert.False(ProcessStamp.IsRunning(Gone));

        // The number was given to another process since.
        var parts = ProcessStamp.Own.Split(' ');
        Assert.Equal(Environment.ProcessId.ToString(CultureInfo.InvariantCulture), parts[0]);
        Assert.False(ProcessStamp.IsRunning($"{parts[0]} 1 {parts[2]}"));
    }

    private static string Lay(string? owner)
    {
        var path = Directory.CreateTempSubdirectory("eht-test-").FullName;
        if (owner is not null)
        {
            File.WriteAllText(Path.Combine(path, "owner"), owner);
        }

        return path;
    }
}
