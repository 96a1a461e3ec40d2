using System.Diagnostics;
using System.Text.Json;
using EventHubThroughput.Settings.Json;
using Xunit;

namespace EventHubThroughput.Settings.Tests;

/// <summary>A file that is read whole is a regular one of limited size. Nothing else is opened.</summary>
public sealed class NamedFileTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("named-");

    public void Dispose() => folder.Delete(recursive: true);

    [Theory]
    [InlineData("/dev/zero", "is a device, name a regular file")]
    [InlineData("/dev/null", "is a device, name a regular file")]
    [InlineData("/", "is a folder")]
    [InlineData("/no/such/file", "not found")]
    public void A_path_that_is_not_a_regular_file_is_refused_before_it_is_opened(string path, string expected)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "devices and pipes are those of Linux");

        Assert.Equal($"--resume {path}: {expected}", Assert.Throws<UsageException>(() => NamedFile.Read($"--resume {path}", path, 100)).Message);
        Assert.Equal(expected, UnreadableFile.GetReason(path));
    }

    [Fact]
    public async Task A_pipe_without_a_writer_is_refused_before_it_is_opened()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "devices and pipes are those of Linux");
        var pipe = Path.Combine(folder.FullName, "pipe");
        using (var made = Process.Start("mkfifo", [pipe]))
        {
            await made.WaitForExitAsync(TestContext.Current.CancellationToken);
            Assert.Equal(0, made.ExitCode);
        }

        var refused = Assert.Throws<UsageException>(() => SettingsDocument.ReadFile(pipe));

        Assert.Equal($"{pipe}: is a pipe, name a regular file", refused.Message);
    }

    [Fact]
    public void A_file_may_be_as_large_as_the_limit_and_no_larger()
    {
        var path = Path.Combine(folder.FullName, "file");
        File.WriteAllBytes(path, new byte[100]);

        Assert.Equal(100, NamedFile.Read(path, path, 100).Length);
        Assert.Equal($"{path}: larger than 99 bytes", Assert.Throws<UsageException>(() => NamedFile.Read(path, path, 99)).Message);
    }

    [Fact]
    public void A_file_without_a_length_to_ask_for_is_read()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "/proc is that of Linux");

        Assert.NotEmpty(NamedFile.Read("status", "/proc/self/status", 100_000));
        Assert.Equal("status: larger than 10 bytes", Assert.Throws<UsageException>(static () => NamedFile.Read("status", "/proc/self/status", 10)).Message);
    }

    [Fact]
    public void A_binary_file_shows_none_of_its_bytes()
    {
        var wrong = Assert.ThrowsAny<JsonException>(static () => JsonDocument.Parse("\u007fELF secret"));

        Assert.Equal("not valid JSON, error at line 1, column 1", JsonProblem.Of(wrong));
    }
}
