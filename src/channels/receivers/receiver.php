<?php // receiver.php: php -S 127.0.0.1:8080 receiver.php
$key = base64_decode(substr(getenv('LEAD_WEBHOOK_SECRET'), strlen('whsec_')));
@mkdir('leads');

$headers = array_change_key_case(getallheaders());
$id = $headers['webhook-id'] ?? '';
$time = $headers['webhook-timestamp'] ?? '';
$body = file_get_contents('php://input');
$wanted = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
$genuine = false;
foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
  $genuine = $genuine || hash_equals($wanted, $signature);
}
if (!$genuine || abs(time() - (int) $time) >= 300) {
  http_response_code(401);
  exit;
}
http_response_code(file_put_contents("leads/$id.json", $body) === false ? 500 : 204);
