using System.Diagnostics;
using EventHubThroughput.Journal.Files;
using Xunit;

namespace EventHubThroughput.Journal.Tests.Files;

public sealed class NamedFilesTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("named-");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact]
    public async Task An_output_file_that_is_also_an_input_is_refused_under_any_name()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "hard links are seen on Linux");
        var read = GetPath("read");
        await File.WriteAllTextAsync(read, "evidence", TestContext.Current.CancellationToken);
        File.CreateSymbolicLink(GetPath("link"), read);
        Directory.CreateSymbolicLink(GetPath("way"), folder.FullName);
        await LinkHardAsync(read, GetPath("hard"));

        foreach (var name in (string[])["read", "./read", "way/read", "link", "hard", "way/way/hard"])
        {
            var path = GetPath(name);
            Assert.Equal(
                [$"--ledger {path}: is the file of --input"],
                new NamedFiles().Reads("--input", read).Writes("--ledger", path, OutputKind.Ledger).Problems()
            );
            Assert.Equal(
                [$"--ledger {path}: is the file of --input"],
                new NamedFiles().Writes("--ledger", path, OutputKind.Ledger).Reads("--input", read).Problems()
            );
        }
    }

    [Fact]
    public void A_file_that_is_not_there_yet_is_known_by_its_folder_and_name()
    {
        Directory.CreateSymbolicLink(GetPath("way"), folder.FullName);
        var files = new NamedFiles().Writes("--journal", GetPath("new"), OutputKind.Journal).Writes("--output", GetPath("way/../way/new"), OutputKind.Result);

        Assert.Equal([$"--output {GetPath("way/../way/new")}: is the file of --journal"], files.Problems());
        Assert.Empty(
            new NamedFiles().Writes("--journal", GetPath("new"), OutputKind.Journal).Writes("--output", GetPath("newer"), OutputKind.Result).Problems()
        );
    }

    [Fact]
    public void All_problems_are_listed_and_options_that_were_not_given_are_none()
    {
        File.WriteAllText(GetPath("foreign"), "foreign");
        var files = new NamedFiles()
            .Reads("--settings", null)
            .Writes("--journal", GetPath("foreign"), OutputKind.Journal)
            .Writes("--output", GetPath("foreign"), OutputKind.Result)
            .Writes("--ledger", null, OutputKind.Ledger);

        Assert.Equal(
            [
                $"--journal {GetPath("foreign")}: exists and is not a journal of this program, name another file, or move it away",
                $"--output {GetPath("foreign")}: is the file of --journal",
            ],
            files.Problems()
        );
    }

    [Fact]
    public void Devices_may_be_named_twice()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "devices of Linux");

        Assert.Empty(
            new NamedFiles()
                .Reads("--input", "/dev/null")
                .Writes("--ledger", "/dev/null", OutputKind.Ledger)
                .Writes("--output", "/dev/null", OutputKind.Result)
                .Problems()
        );
    }

    // The runtime has no call for that.
    private static async Task LinkHardAsync(string file, string name)
    {
        using var link = Process.Start("ln", [file, name]);
        await link.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.Equal(0, link.ExitCode);
    }

    private string GetPath(string name) => Path.Combine(folder.FullName, name);
}
