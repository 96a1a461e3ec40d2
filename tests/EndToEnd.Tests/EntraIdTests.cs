using EventHubThroughput.Processes;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>
/// Programs without a key: tokens of a managed identity, over TLS, on all three services. The emulator cannot validate such tokens. It accepts them
/// where it accepts clients without any, and refuses them everywhere else.
/// </summary>
public sealed class EntraIdTests
{
    [Fact]
    public async Task Sender_and_consumer_work_without_a_key_on_any_service()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var identity = await IdentityEndpoint.StartAsync(refuses: false, cancellationToken);
        await using var keyless = await TlsNamespace.StartAsync("--allow-anonymous", identity, cancellationToken);

        var sent = await Programs.SenderAsync($"--count 300 --keys 5 --ledger {keyless.Emulator.File("ledger")}", keyless.Settings, cancellationToken);
        Assert.True(sent.ExitCode == 0, sent.Error);
        var run = await Programs.ConsumerAsync("--strategy=outloop --no-metrics", keyless.Settings, cancellationToken);
        Assert.True(run.ExitCode == 0, run.Error);

        Assert.Equal(
            ["https://eventhubs.azure.net", "https://servicebus.azure.net", "https://storage.azure.com"],
            identity.Resources.Keys.Select(static resource => resource.TrimEnd('/')).Order(StringComparer.Ordinal)
        );
        await keyless.Emulator.StopAsync(cancellationToken);
        var verdict = Earthquakes.Judge(keyless.Emulator, Earthquakes.Read(keyless.Emulator), OrderPromise.None);
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal(300, verdict.Complete);
        Assert.DoesNotContain(IdentityEndpoint.Canary, sent.Error + sent.Output + run.Error + run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("EVENTHUB", "EVENTHUB_NAMESPACE", "https://eventhubs.azure.net")]
    [InlineData("SERVICEBUS", "SERVICEBUS_NAMESPACE", "https://servicebus.azure.net")]
    [InlineData("STORAGE", "STORAGE_ACCOUNT_URL", "https://storage.azure.com")]
    public async Task Each_service_may_be_without_a_key_by_itself_and_the_built_in_clients_refuse_it(string service, string variable, string resource)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var identity = await IdentityEndpoint.StartAsync(refuses: false, cancellationToken);
        await using var keyless = await TlsNamespace.StartAsync("--allow-anonymous", identity, cancellationToken);
        var settings = keyless.WithoutKey(service);
        var ledger = keyless.Emulator.File("ledger");
        var sent = await Programs.SenderAsync($"--count 300 --keys 5 --ledger {ledger}", keyless.Emulator.Settings, cancellationToken);
        Assert.True(sent.ExitCode == 0, sent.Error);

        var refused = await Programs.ConsumerAsync("--clients=builtin --strategy=outloop --no-metrics", settings, cancellationToken);
        var run = await Programs.ConsumerAsync("--strategy=outloop --no-metrics", settings, cancellationToken);

        Assert.Equal((2, $"error: {variable}: Entra ID needs --clients=official\n"), (refused.ExitCode, refused.Error));
        Assert.True(run.ExitCode == 0, run.Error);
        Assert.Equal(resource, Assert.Single(identity.Resources.Keys).TrimEnd('/'));
        Assert.DoesNotContain(IdentityEndpoint.Canary, run.Error + run.Output, StringComparison.Ordinal);
        await keyless.Emulator.StopAsync(cancellationToken);
        var verdict = Earthquakes.Judge(keyless.Emulator, Earthquakes.Read(keyless.Emulator), OrderPromise.None);
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal(300, verdict.Complete);
    }

    [Fact]
    public async Task Every_other_command_that_takes_connection_settings_works_without_a_key()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var identity = await IdentityEndpoint.StartAsync(refuses: false, cancellationToken);
        await using var keyless = await TlsNamespace.StartAsync("--allow-anonymous", identity, cancellationToken);
        var ledger = keyless.Emulator.File("ledger");
        var sent = await Programs.SenderAsync($"--count 50 --ledger {ledger}", keyless.Settings, cancellationToken);
        Assert.True(sent.ExitCode == 0, sent.Error);
        var run = await Programs.ConsumerAsync("--strategy=combined --no-metrics", keyless.Settings, cancellationToken);
        Assert.True(run.ExitCode == 0, run.Error);

        foreach (
            var (command, said) in (IEnumerable<(string, string)>)
                [($"verify --ledger {ledger} --strategy=combined", "verdict: clean"), ("redrive", "redriven       0"), ("profile --probes 50 --output {0}", "")]
        )
        {
            var line = string.Format(System.Globalization.CultureInfo.InvariantCulture, command, keyless.Emulator.File("profile.json"));
            var finished = await Programs.ConsumerAsync(line, keyless.Settings, cancellationToken);
            Assert.True(finished.ExitCode == 0, $"{line}: {finished.Error}{finished.Output}");
            Assert.Contains(said, finished.Output, StringComparison.Ordinal);
            Assert.DoesNotContain(IdentityEndpoint.Canary, finished.Error + finished.Output, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_token_for_storage_that_is_not_given_ends_the_consumer_with_4()
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var identity = await IdentityEndpoint.StartAsync(refuses: true, cancellationToken);
        await using var keyless = await TlsNamespace.StartAsync("", identity, cancellationToken);

        var run = await Programs.ConsumerAsync("--strategy=outloop --no-metrics", keyless.WithoutKey("STORAGE"), cancellationToken);

        Assert.Equal(4, run.ExitCode);
        Assert.StartsWith(
            "error: no Entra ID token for ",
            Assert.Single(run.Error.Split('\n'), static line => line.StartsWith("error:", StringComparison.Ordinal)),
            StringComparison.Ordinal
        );
        Assert.DoesNotContain("   at ", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false, "not authorized")]
    [InlineData(true, "no Entra ID token for event hub 'hub'")]
    public async Task A_token_that_is_refused_or_not_given_ends_both_programs_with_4_and_is_not_shown(bool refuses, string expected)
    {
        var cancellationToken = TestContext.Current.CancellationToken;
        await using var identity = await IdentityEndpoint.StartAsync(refuses, cancellationToken);
        await using var keyless = await TlsNamespace.StartAsync("", identity, cancellationToken);

        var sent = await Programs.SenderAsync("--count 5 --quiet", keyless.Settings, cancellationToken);
        var run = await Programs.ConsumerAsync("--strategy=outloop --no-metrics", keyless.Settings, cancellationToken);

        foreach (var finished in (FinishedProcess[])[sent, run])
        {
            Assert.Equal(4, finished.ExitCode);
            Assert.Contains(
                expected,
                Assert.Single(finished.Error.Split('\n'), static line => line.StartsWith("error:", StringComparison.Ordinal)),
                StringComparison.Ordinal
            );
            Assert.DoesNotContain(IdentityEndpoint.Canary, finished.Error + finished.Output, StringComparison.Ordinal);
            Assert.DoesNotContain("   at ", finished.Error, StringComparison.Ordinal);
        }
    }
}
