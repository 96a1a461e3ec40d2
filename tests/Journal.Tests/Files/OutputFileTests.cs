using System.Text;
using EventHubThroughput.Journal.Files;
using Xunit;

namespace EventHubThroughput.Journal.Tests.Files;

/// <summary>The one rule for files that the programs write.</summary>
public sealed class OutputFileTests : IDisposable
{
    private const string OlderResult = "{\n  \"run\": {\n    \"schema\": 1,\n    \"id\": \"older\"\n  }\n}\n";

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("output-");

    private string Target => GetPath("target");

    public void Dispose() => folder.Delete(recursive: true);

    [Theory]
    [InlineData("journal", "{\"format\":\"eht-journal\",\"version\":5}\n")]
    [InlineData("journal", "{\"format\":\"eht-journal\",\"version\":1}\nand more")]
    [InlineData("ledger", "{\"format\":\"eht-ledger\",\"version\":1}\n{\"rows\":0}\n")]
    [InlineData("result", OlderResult)]
    [InlineData("result", "{\"run\":{\"schema\":2,")]
    [InlineData("journal", "")]
    [InlineData("ledger", "")]
    [InlineData("result", "")]
    public void A_file_of_the_same_kind_or_an_empty_one_gives_way(string kind, string older)
    {
        File.WriteAllText(Target, older);

        Write(GetKind(kind), "new");

        Assert.Equal("new", File.ReadAllText(Target));
        Assert.Equal([Target], Directory.GetFileSystemEntries(folder.FullName));
    }

    [Theory]
    [InlineData("journal", "{\"format\":\"eht-ledger\",\"version\":1}\n")]
    [InlineData("journal", "{\"format\":\"eht-journal\",\"version\":5}")]
    [InlineData("journal", OlderResult)]
    [InlineData("ledger", "{\"format\":\"eht-journal\",\"version\":5}\n")]
    [InlineData("ledger", "{\"a\":1}\n")]
    [InlineData("result", "{\"format\":\"eht-journal\",\"version\":5}\n")]
    [InlineData("result", "{\"run\":{\"id\":1}}")]
    [InlineData("result", "[]")]
    [InlineData("result", "\n")]
    [InlineData("ledger", "\0")]
    public void A_file_of_another_kind_is_refused_and_stays_as_it_is(string kind, string other)
    {
        File.WriteAllText(Target, other);

        Assert.Equal($"exists and is not a {kind} of this program, name another file, or move it away", OutputFile.Problem(Target, GetKind(kind)));
        Assert.Throws<OutputRefusedException>(() => Write(GetKind(kind), "new"));

        Assert.Equal(other, File.ReadAllText(Target));
        Assert.Equal([Target], Directory.GetFileSystemEntries(folder.FullName));
    }

    [Fact]
    public void A_link_is_refused_wherever_it_leads()
    {
        File.WriteAllText(GetPath("precious"), "precious");
        File.WriteAllText(GetPath("ledger"), "{\"format\":\"eht-ledger\",\"version\":1}\n");
        foreach (var leads in (string[])["precious", "ledger", "nowhere", folder.FullName])
        {
            File.Delete(Target);
            File.CreateSymbolicLink(Target, GetPath(leads));

            Assert.Equal("is a link, name the file itself", OutputFile.Problem(Target, OutputKind.Ledger));
            Assert.Throws<OutputRefusedException>(() => Write(OutputKind.Ledger, "new"));
        }

        Assert.Equal("precious", File.ReadAllText(GetPath("precious")));
        Assert.False(File.Exists(GetPath("nowhere")));
    }

    [Fact]
    public void A_folder_that_does_not_exist_is_named_instead_of_the_temporary_file()
    {
        var missing = Path.Combine(folder.FullName, "missing");

        var refused = Assert.Throws<OutputRefusedException>(() => OutputFile.Probe(Path.Combine(missing, "target"), OutputKind.Result));

        Assert.Equal($"cannot be written: folder {missing} does not exist", OutputFile.Describe(refused));
    }

    [Fact]
    public void A_link_planted_under_the_temporary_name_is_not_followed()
    {
        File.WriteAllText(GetPath("precious"), "precious");
        var planted = $"{Target}.{Environment.ProcessId}.tmp";
        File.CreateSymbolicLink(planted, GetPath("precious"));

        Write(OutputKind.Result, "new");

        Assert.Equal("new", File.ReadAllText(Target));
        Assert.Equal("precious", File.ReadAllText(GetPath("precious")));
        Assert.NotNull(new FileInfo(planted).LinkTarget);
    }

    [Fact]
    public void A_link_that_takes_the_place_meanwhile_is_not_followed_either()
    {
        File.WriteAllText(GetPath("precious"), "precious");
        using (var file = OutputFile.Create(Target, OutputKind.Result))
        {
            File.CreateSymbolicLink(Target, GetPath("precious"));
            Assert.Throws<OutputRefusedException>(file.Place);
        }

        Assert.Equal("precious", File.ReadAllText(GetPath("precious")));
        Assert.Equal(2, Directory.GetFileSystemEntries(folder.FullName).Length);
    }

    [Fact]
    public void The_older_file_stays_until_the_new_one_takes_its_place()
    {
        File.WriteAllText(Target, OlderResult);
        using (var file = OutputFile.Create(Target, OutputKind.Result))
        {
            file.Stream.Write("half"u8);
            Assert.Equal(OlderResult, File.ReadAllText(Target));
        }

        OutputFile.Probe(Target, OutputKind.Result);
        Assert.Equal(OlderResult, File.ReadAllText(Target));
        Assert.Equal([Target], Directory.GetFileSystemEntries(folder.FullName));
    }

    [Fact]
    public void A_folder_and_a_folder_that_is_not_there_are_refused()
    {
        Assert.Equal("is a folder", Assert.Throws<OutputRefusedException>(() => Write(OutputKind.Result, "new", folder.FullName)).Message);
        Assert.ThrowsAny<IOException>(() => OutputFile.Probe(GetPath("missing/target"), OutputKind.Result));
        Assert.Empty(Directory.GetFileSystemEntries(folder.FullName));
    }

    [Fact]
    public void Devices_are_written_directly()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "devices of Linux");

        using (var file = OutputFile.Create("/dev/null", OutputKind.Journal))
        {
            file.Stream.Write("anything"u8);
            file.Place();
        }

        Assert.Null(OutputFile.Problem("/dev/null", OutputKind.Result));
        Assert.Equal(FileKind.Device, FileStatus.Of("/dev/null", followLink: false).Kind);
    }

    [Fact]
    public void A_new_file_and_one_that_replaces_another_are_their_owners_only()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "file modes are Unix's");
        File.WriteAllText(Target, OlderResult);

        Write(OutputKind.Result, "new");

        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(Target));
        }
    }

    [Fact]
    public void A_journal_or_ledger_begun_beside_an_older_one_replaces_it_only_when_it_is_placed()
    {
        File.WriteAllText(Target, "{\"format\":\"eht-journal\",\"version\":5}\n");
        JournalWriter.OpenBeside(Target, TimeProvider.System).Dispose();
        Assert.Equal("{\"format\":\"eht-journal\",\"version\":5}\n", File.ReadAllText(Target));

        File.WriteAllText(Target, "{\"format\":\"eht-ledger\",\"version\":1}\nolder");
        LedgerWriter.OpenBeside(Target).Dispose();
        Assert.EndsWith("older", File.ReadAllText(Target), StringComparison.Ordinal);

        using (var ledger = LedgerWriter.OpenBeside(Target))
        {
            ledger.Place();
        }

        Assert.Equal("{\"format\":\"eht-ledger\",\"version\":1}\n{\"rows\":0}\n", File.ReadAllText(Target));
        Assert.Equal([Target], Directory.GetFileSystemEntries(folder.FullName));
    }

    private static OutputKind GetKind(string word) => new[] { OutputKind.Journal, OutputKind.Ledger, OutputKind.Result }.Single(kind => kind.Word == word);

    private string GetPath(string name) => Path.Combine(folder.FullName, name);

    private void Write(OutputKind kind, string text, string? path = null)
    {
        using var file = OutputFile.Create(path ?? Target, kind);
        file.Stream.Write(Encoding.UTF8.GetBytes(text));
        file.Place();
    }
}
