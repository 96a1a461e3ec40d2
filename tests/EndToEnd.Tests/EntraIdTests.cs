using System.Data.Common;
using System.Net;
using EventHubThroughput.Journal;
using EventHubThroughput.Verification;
using Xunit;

namespace EventHubThroughput.EndToEnd.Tests;

/// <summary>
/// Programs that have no key at all, on the official packages: tokens of a managed identity, over TLS, on all three services. The
/// emulator cannot check such tokens; it takes them where it takes clients without any, and refuses them everywhere else.
/// </summary>
[Trait("Needs", OfficialBuild.Trait)]
public sealed class EntraIdTests
{
    [Fact]
    public async Task Sender_and_consumer_work_without_a_key_on_any_service()
    {
        OfficialBuild.Require();
        CancellationToken cancellationToken = TestContext.Current.CancellationToken;
        await using IdentityEndpoint identity = await IdentityEndpoint.StartAsync(refuses: false, cancellationToken);
        await using Keyless keyless = await Keyless.StartAsync("--allow-anonymous", identity, cancellationToken);

        Finished sent = await Programs.SenderAsync(
            $"--clients=official --count 300 --keys 5 --ledger {keyless.Emulator.File("ledger")}",
            keyless.Settings,
            cancellationToken
        );
        Assert.True(sent.ExitCode == 0, sent.Error);
        Finished run = await Programs.ConsumerAsync("--clients=official --strategy=outloop --no-metrics", keyless.Settings, cancellationToken);
        Assert.True(run.ExitCode == 0, run.Error);

        Assert.Equal(
            ["https://eventhubs.azure.net", "https://servicebus.azure.net", "https://storage.azure.com"],
            identity.Resources.Keys.Select(static resource => resource.TrimEnd('/')).Order(StringComparer.Ordinal)
        );
        await keyless.Emulator.StopAsync(cancellationToken);
        Verdict verdict = Earthquakes.Judge(keyless.Emulator, Earthquakes.Read(keyless.Emulator), OrderPromise.None);
        Assert.True(verdict.Outcome == VerdictOutcome.Pass, verdict.Summary);
        Assert.Equal(300, verdict.Complete);
        Assert.DoesNotContain(IdentityEndpoint.Canary, sent.Error + sent.Output + run.Error + run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false, "not authorised")]
    [InlineData(true, "no Entra ID token for event hub 'hub'")]
    public async Task A_token_that_is_refused_or_not_given_ends_both_programs_with_4_and_is_not_shown(bool refuses, string expected)
    {
        OfficialBuild.Require();
        CancellationToken cancellationToken = TestContext.Current.CancellationToken;
        await using IdentityEndpoint identity = await IdentityEndpoint.StartAsync(refuses, cancellationToken);
        await using Keyless keyless = await Keyless.StartAsync("", identity, cancellationToken);

        Finished sent = await Programs.SenderAsync("--clients=official --count 5 --quiet", keyless.Settings, cancellationToken);
        Finished run = await Programs.ConsumerAsync("--clients=official --strategy=outloop --no-metrics", keyless.Settings, cancellationToken);

        foreach (Finished finished in (Finished[])[sent, run])
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

    // An emulator with TLS before all its services, at a loopback address of its own: namespaces without a key have a fixed port.
    private sealed class Keyless : IAsyncDisposable
    {
        private readonly TemporaryFolder _folder = new();
        private TlsRelay? _storage;

        public EmulatorProcess Emulator { get; private set; } = null!;

        public IReadOnlyDictionary<string, string> Settings { get; private set; } = null!;

        public static async Task<Keyless> StartAsync(string arguments, IdentityEndpoint identity, CancellationToken cancellationToken)
        {
            Keyless keyless = new();
            IPAddress host = new([127, (byte)Random.Shared.Next(64, 192), (byte)Random.Shared.Next(1, 255), (byte)Random.Shared.Next(1, 255)]);
            string data = keyless._folder.File("data");
            keyless.Emulator = await EmulatorProcess.StartAsync($"--host {host} --tls-port 5671 --data {data} {arguments}", cancellationToken);
            DbConnectionStringBuilder storage = new() { ConnectionString = keyless.Emulator.Settings["STORAGE_CONNECTION_STRING"] };
            Uri plain = new((string)storage["BlobEndpoint"]);
            keyless._storage = TlsRelay.Start(data, new IPEndPoint(host, plain.Port));
            keyless.Settings = new Dictionary<string, string>(identity.Variables)
            {
                ["EVENTHUB_NAMESPACE"] = $"{host}",
                ["EVENTHUB_NAME"] = "hub",
                ["SERVICEBUS_NAMESPACE"] = $"{host}",
                ["SERVICEBUS_QUEUE"] = "queue",
                ["STORAGE_ACCOUNT_URL"] = $"https://{host}:{keyless._storage.Port}{plain.AbsolutePath}",
                ["SSL_CERT_FILE"] = keyless.Emulator.Settings["EMULATOR_TLS_CERTIFICATE"],
            };
            return keyless;
        }

        public async ValueTask DisposeAsync()
        {
            await (_storage?.DisposeAsync() ?? ValueTask.CompletedTask);
            await Emulator.DisposeAsync();
            _folder.Dispose();
        }
    }
}
