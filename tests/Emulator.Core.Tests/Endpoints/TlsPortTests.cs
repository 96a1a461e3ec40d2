using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using EventHubThroughput.Amqp;
using EventHubThroughput.Amqp.Codec;
using EventHubThroughput.Amqp.Framing;
using EventHubThroughput.Emulator.Endpoints;
using EventHubThroughput.Emulator.FaultInjection.Faults;
using EventHubThroughput.Settings.Json;
using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Endpoints;

public sealed class TlsPortTests : RunningEmulator
{
    private string Connection => Host.Settings["EMULATOR_TLS_CONNECTION_STRING"];

    private string CertificatePath => Host.Settings["EMULATOR_TLS_CERTIFICATE"];

    [Fact]
    public async Task A_client_that_trusts_the_printed_certificate_reaches_both_services()
    {
        await using var peer = await Peer.ConnectAsync(Connection, with: Trusting);
        foreach (var entity in (string[])["hub", "queue"])
        {
            Assert.Equal(202, await peer.PutTokenAsync(entity));
            var sender = await peer.SenderAsync(entity);
            Assert.IsType<Accepted>(
                await sender.SendAsync(new AmqpMessage { Body = MessageBody.OfData(Encoding.UTF8.GetBytes(entity)) }.Encode(), 0, Cancellation)
            );
        }

        Assert.Equal(1, Host.Hub.Partitions.Sum(static partition => partition.State.Count));
        Assert.Equal(1, Host.Queue.Count);
        Assert.Equal(202, await peer.PutTokenAsync("hub/ConsumerGroups/$Default"));
        Assert.NotNull(await peer.ReceiverAsync("hub/ConsumerGroups/$Default/Partitions/0", 1));
        Assert.NotNull(await peer.ReceiverAsync("queue/$DeadLetterQueue", 1));
        var refusal = await Assert.ThrowsAsync<AmqpException>(async () =>
        {
            await peer.PutTokenAsync("nowhere");
            await peer.SenderAsync("nowhere");
        });
        Assert.Equal(ErrorCondition.NotFound, refusal.Error.Condition.Value);
    }

    [Theory]
    [InlineData("attach", "unauthorized", "queue", "hub")]
    [InlineData("attach", "unauthorized", "hub", "queue")]
    [InlineData("eventSend", "busy", "hub", "queue")]
    [InlineData("messageSend", "busy", "queue", "hub")]
    public async Task A_fault_of_one_service_strikes_its_entities_and_not_those_of_the_other(string point, string reason, string struck, string spared)
    {
        var service = struck == "hub" ? "eventhubs" : "servicebus";
        var fault = $$"""{ "name": "own", "at": "{{point}}", "service": "{{service}}", "do": "refuse", "reason": "{{reason}}" }""";
        Host.Faults.Arm(FaultReader.Read(SettingsDocument.Parse("body", Encoding.UTF8.GetBytes(fault))));
        await using var peer = await Peer.ConnectAsync(Connection, with: Trusting);

        Assert.True(await IsAcceptedAsync(peer, spared));
        Assert.False(await IsAcceptedAsync(peer, struck));
    }

    [Fact]
    public async Task A_client_that_does_not_trust_the_certificate_is_not_connected()
    {
        var refusal = await Assert.ThrowsAsync<AmqpException>(() => Peer.ConnectAsync(Connection, with: static options => options with { UseTls = true }));
        Assert.Equal(AmqpErrorScope.Transport, refusal.Scope);
    }

    [Fact]
    public async Task A_client_without_TLS_gets_no_answer_on_the_TLS_port()
    {
        var refusal = await Assert.ThrowsAsync<AmqpException>(() => Peer.ConnectAsync(Connection));
        Assert.Equal(AmqpErrorScope.Transport, refusal.Scope);
    }

    [Fact(Timeout = 60_000)]
    public async Task A_handshake_begins_after_a_pause_and_only_with_TLS()
    {
        VirtualClock clock = new(TimeProvider.System.GetUtcNow());
        await using var emulator = await EmulatorHost.StartAsync(Options() with { TimeProvider = clock }, Cancellation);
        var (certificate, timers) = (emulator.Settings["EMULATOR_TLS_CERTIFICATE"], clock.PendingTimers);
        var encrypted = Peer.ConnectAsync(emulator.Settings["EMULATOR_TLS_CONNECTION_STRING"], with: options => Trust(certificate, options));
        while (clock.PendingTimers == timers)
        {
            await Task.Yield();
        }

        await using var peer = await Peer.ConnectAsync(emulator.Settings["EVENTHUB_CONNECTION_STRING"]);
        Assert.Equal(202, await peer.PutTokenAsync("hub"));
        Assert.False(encrypted.IsCompleted);

        clock.Advance(AmqpEndpoint.HandshakePause);
        await (await encrypted).DisposeAsync();
    }

    [Fact]
    public async Task The_certificate_names_localhost_and_goes_with_the_emulator()
    {
        using var certificate = X509Certificate2.CreateFromPem(await File.ReadAllTextAsync(CertificatePath, Cancellation));
        Assert.True(certificate.MatchesHostname("localhost"));
        Assert.True(certificate.MatchesHostname("127.0.0.1"));
        Assert.DoesNotContain("PRIVATE", await File.ReadAllTextAsync(CertificatePath, Cancellation), StringComparison.Ordinal);
        var folder = Path.GetDirectoryName(CertificatePath)!;
        Assert.Equal([CertificatePath, Path.Combine(folder, "owner")], Directory.GetFiles(folder).Order(StringComparer.Ordinal));
        var path = CertificatePath;
        await Host.DisposeAsync();
        Assert.False(Directory.Exists(Path.GetDirectoryName(path)));
    }

    private protected override EmulatorOptions Options() => new() { TlsPort = 0 };

    private static async Task<bool> IsAcceptedAsync(Peer peer, string entity)
    {
        Assert.Equal(202, await peer.PutTokenAsync(entity));
        try
        {
            var sender = await peer.SenderAsync(entity);
            return await sender.SendAsync(new AmqpMessage { Body = MessageBody.OfData("a"u8.ToArray()) }.Encode(), 0, Cancellation) is Accepted;
        }
        catch (AmqpException)
        {
            return false;
        }
    }

    private AmqpConnectionOptions Trusting(AmqpConnectionOptions options) => Trust(CertificatePath, options);

    private static AmqpConnectionOptions Trust(string certificatePath, AmqpConnectionOptions options)
    {
        var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.ImportFromPemFile(certificatePath);
        return options with
        {
            UseTls = true,
            Tls = new SslClientAuthenticationOptions { TargetHost = options.Host, CertificateChainPolicy = policy },
        };
    }
}
